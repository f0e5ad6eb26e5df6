#include "config/toml_section.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace outrigger::config {
namespace {

std::string decimal(double value) {
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return {buffer, result.ptr};
}

}  // namespace

void TomlFault::report(const toml::source_region& where, const std::string& what) {
  if (message_) return;
  message_ = file_ + ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column) + ": " + what;
}

std::string TomlSection::path(std::string_view key) const {
  return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
}

const toml::node* TomlSection::find(std::string_view key) {
  known_.emplace(key);
  return table_ == nullptr ? nullptr : table_->get(key);
}

void TomlSection::refuse(std::string_view key, std::string_view rule) {
  const toml::node* node = find(key);
  if (node != nullptr) fault_.report(node->source(), path(key) + " " + std::string(rule));
}

TomlSection TomlSection::section(std::string_view key) {
  const toml::node* node = find(key);
  if (node != nullptr && !node->is_table()) refuse(key, "must be a table, written as [" + path(key) + "]");
  return {node == nullptr ? nullptr : node->as_table(), path(key), fault_};
}

bool TomlSection::number(std::string_view key, double minimum, double maximum, bool whole, double& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return false;
  double value = HUGE_VAL;
  if (const auto* integer = node->as_integer()) value = static_cast<double>(integer->get());
  if (const auto* real = node->as_floating_point(); real != nullptr && !whole) value = real->get();
  if (!(value >= minimum && value <= maximum)) {
    refuse(key, std::string("must be ") + (whole ? "an integer" : "a number") + " from " + decimal(minimum) + " to " +
                    decimal(maximum));
    return false;
  }
  out = value;
  return true;
}

void TomlSection::boolean(std::string_view key, bool& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  if (const auto* value = node->as_boolean()) {
    out = value->get();
  } else {
    refuse(key, "must be true or false");
  }
}

void TomlSection::text(std::string_view key, std::string& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  if (const auto* value = node->as_string()) {
    out = value->get();
  } else {
    refuse(key, "must be a string");
  }
}

void TomlSection::absolute_path(std::string_view key, std::filesystem::path& out) {
  if (find(key) == nullptr) return;
  std::string value;
  text(key, value);
  if (!value.starts_with('/')) return refuse(key, "must be an absolute path");
  out = value;
}

void TomlSection::texts(std::string_view key, std::vector<std::string>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  if (array == nullptr) return refuse(key, "must be an array of strings");
  out.clear();
  for (const toml::node& element : *array) {
    const auto* value = element.as_string();
    if (value == nullptr) return fault_.report(element.source(), path(key) + " must hold only strings");
    out.push_back(value->get());
  }
}

void TomlSection::milliseconds(std::string_view key, std::chrono::milliseconds minimum,
                               std::chrono::milliseconds maximum, std::chrono::milliseconds& out) {
  std::int64_t value = out.count();
  integer<std::int64_t>(key, minimum.count(), maximum.count(), value);
  out = std::chrono::milliseconds{value};
}

void TomlSection::finish() {
  if (table_ == nullptr) return;
  for (const auto& [key, node] : *table_) {
    if (known_.contains(key.str())) continue;
    std::string list;
    for (const std::string& each : known_) {
      if (!list.empty()) list += ", ";
      list += each;
    }
    fault_.report(key.source(), path(key.str()) + " is not a known key; known here: " + list);
  }
}

}  // namespace outrigger::config
