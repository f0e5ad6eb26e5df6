#include "piston/files.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/base64.h"
#include "piston/file_name.h"

namespace outrigger::piston {
namespace {

namespace json = boost::json;

std::string_view text_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

// What JavaScript's "!value" says.
bool is_falsy(const json::value* value) {
  if (value == nullptr || value->is_null()) return true;
  if (const bool* boolean = value->if_bool()) return !*boolean;
  if (const json::string* text = value->if_string()) return text->empty();
  return value->is_number() && value->to_number<double>() == 0;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// As node's Buffer reads it: up to the first pair that is none.
std::string decoded_hex(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = hex_digit(text[i]);
    const int low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) break;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

std::string decoded(std::string_view content, std::string_view encoding) {
  if (encoding == "base64") return base::base64_decode_loosely(content);
  if (encoding == "hex") return decoded_hex(content);
  return std::string(content);
}

// Anything Piston does not know is text to it.
bool is_text(const json::object& file) {
  const std::string_view encoding = text_of(file, "encoding");
  return encoding != "base64" && encoding != "hex";
}

std::expected<std::string, std::string> name_of(const json::object& file, std::size_t index) {
  const std::string place = "files[" + std::to_string(index) + "].name";
  const json::value* given = file.if_contains("name");
  if (is_falsy(given)) return "file" + std::to_string(index) + ".code";
  if (!given->is_string()) return std::unexpected(place + " must be a string");
  const std::string_view name = given->get_string();
  std::string settled = settled_name(name);
  if (leads_out(settled)) {
    return std::unexpected("File path \"" + std::string(name) + "\" tries to escape parent directory: " + settled);
  }
  if (settled.empty()) return std::unexpected(place + " must name a file");
  return settled;
}

}  // namespace

bool has_text_file(const json::array& files) {
  return std::ranges::any_of(files, [](const json::value& file) {
    const json::object* object = file.if_object();
    if (object == nullptr) return false;
    return is_falsy(object->if_contains("encoding")) || text_of(*object, "encoding") == "utf8";
  });
}

std::expected<Files, std::string> read_files(const json::array& files, std::string_view source_file) {
  Files out;
  bool found = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const json::object& file = files[i].get_object();
    auto name = name_of(file, i);
    if (!name) return std::unexpected(std::move(name.error()));
    std::string content = decoded(text_of(file, "content"), text_of(file, "encoding"));
    if (!found && is_text(file)) {
      found = true;
      out.main = i;
      out.code = std::move(content);
      out.main_name = std::move(*name);
      continue;
    }
    if (*name == source_file || name->starts_with(std::string(source_file) + "/")) {
      return std::unexpected("files[" + std::to_string(i) + "].name must not be " + *name +
                             ": the file that is run is laid there; name this one otherwise, or put it first");
    }
    std::erase_if(out.others, [&name](const model::InputFile& other) { return other.path == *name; });
    if (found && *name == out.main_name) {
      out.code = std::move(content);
    } else {
      out.others.push_back({std::move(*name), std::move(content)});
    }
  }
  return out;
}

}  // namespace outrigger::piston
