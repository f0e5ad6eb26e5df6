#include "runtime/definition_reader.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"

namespace outrigger::runtime {

void DefinitionReader::refuse(const toml::source_region& where, const std::string& what) {
  if (!error_.empty()) return;
  error_ = origin_;
  if (where.begin) error_ += ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column);
  error_ += ": " + what;
}

const toml::node* DefinitionReader::find(std::string_view key, Presence presence) {
  known_.emplace_back(key);
  const toml::node* node = table_.get(key);
  if (node == nullptr && presence == Presence::kRequired) refuse({}, "`" + std::string(key) + "` is missing");
  return node;
}

std::string DefinitionReader::checked_text(const toml::node& node, const std::string& name, const Check& check) {
  const auto* value = node.as_string();
  if (value == nullptr) {
    refuse(node.source(), "`" + name + "` must be a string");
    return {};
  }
  const std::string& text = value->get();
  if (text.find('\0') != std::string::npos) {
    refuse(node.source(), "`" + name + "` must not contain a NUL character");
  } else if (const auto reason = check(text)) {
    refuse(node.source(), "`" + name + "` " + *reason + ", but is \"" + text + "\"");
  }
  return text;
}

std::string DefinitionReader::text(std::string_view key, Presence presence, const Check& check) {
  const toml::node* node = find(key, presence);
  return node == nullptr ? std::string() : checked_text(*node, std::string(key), check);
}

std::vector<std::string> DefinitionReader::texts(std::string_view key, Presence presence, const Check& check) {
  std::vector<std::string> out;
  const toml::node* node = find(key, presence);
  if (node == nullptr) return out;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    refuse(node->source(), "`" + std::string(key) + "` must be an array of strings");
    return out;
  }
  if (array->empty() && presence == Presence::kRequired) {
    refuse(node->source(), "`" + std::string(key) + "` must not be empty");
  }
  for (const toml::node& element : *array) {
    out.push_back(checked_text(element, std::string(key) + "[" + std::to_string(out.size()) + "]", check));
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> DefinitionReader::variables(std::string_view key,
                                                                             const Check& check_name,
                                                                             const Check& check_value) {
  std::vector<std::pair<std::string, std::string>> out;
  const toml::node* node = find(key, Presence::kOptional);
  if (node == nullptr) return out;
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    refuse(node->source(), "`" + std::string(key) + "` must be a table of strings");
    return out;
  }
  for (const auto& [name, value] : *table) {
    const std::string full_name = std::string(key) + "." + std::string(name.str());
    if (const auto reason = check_name(name.str())) refuse(name.source(), "`" + full_name + "` " + *reason);
    out.emplace_back(name.str(), checked_text(value, full_name, check_value));
  }
  return out;
}

std::uint32_t DefinitionReader::number(std::string_view key, std::uint32_t fallback, std::uint32_t least,
                                       std::uint32_t most) {
  const toml::node* node = find(key, Presence::kOptional);
  if (node == nullptr) return fallback;
  const auto* value = node->as_integer();
  if (value != nullptr && value->get() >= least && value->get() <= most)
    return static_cast<std::uint32_t>(value->get());
  refuse(node->source(), "`" + std::string(key) + "` must be a whole number from " + std::to_string(least) + " to " +
                             std::to_string(most));
  return fallback;
}

double DefinitionReader::real(std::string_view key, double fallback, double least, double most, bool whole) {
  const toml::node* node = find(key, Presence::kOptional);
  if (node == nullptr) return fallback;
  const auto value = node->value<double>();
  if (value && *value >= least && *value <= most && (!whole || std::trunc(*value) == *value)) return *value;
  refuse(node->source(), "`" + std::string(key) + "` must be a " + (whole ? "whole " : "") + "number from " +
                             base::formatted("%.15g", least) + " to " + base::formatted("%.15g", most));
  return fallback;
}

const toml::table* DefinitionReader::table(std::string_view key) {
  const toml::node* node = find(key, Presence::kOptional);
  if (node != nullptr && node->as_table() == nullptr) {
    refuse(node->source(), "`" + std::string(key) + "` must be a table");
  }
  return node == nullptr ? nullptr : node->as_table();
}

bool DefinitionReader::boolean(std::string_view key, bool fallback) {
  const toml::node* node = find(key, Presence::kOptional);
  if (node == nullptr) return fallback;
  if (const auto* value = node->as_boolean()) return value->get();
  refuse(node->source(), "`" + std::string(key) + "` must be true or false");
  return fallback;
}

base::Status DefinitionReader::finish() {
  for (const auto& [key, value] : table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    refuse(key.source(), "unknown key `" + std::string(key.str()) + "`");
  }
  if (!error_.empty()) return base::failure(base::Code::kInvalid, "load_runtime", error_);
  return {};
}

}  // namespace outrigger::runtime
