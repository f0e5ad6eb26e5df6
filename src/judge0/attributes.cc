#include "judge0/attributes.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>

#include "base/base64.h"

namespace outrigger::judge0 {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos; }

std::optional<std::string> Attributes::text(std::string_view name) const {
  const boost::json::value* value = object_.if_contains(name);
  if (value == nullptr || value->is_null() || value->is_array() || value->is_object()) return std::nullopt;
  if (const boost::json::string* string = value->if_string()) return std::string(*string);
  return boost::json::serialize(*value);
}

std::optional<std::string> Attributes::bytes(std::string_view name, bool encoded) const {
  std::optional<std::string> out = text(name);
  if (out && encoded) out = base::base64_decode_loosely(*out);
  return out;
}

std::optional<double> Attributes::number(std::string_view name) const {
  const boost::json::value* value = object_.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->to_number<double>();
  const boost::json::string* string = value->if_string();
  if (string == nullptr) return std::nullopt;
  double out = 0;
  const auto [end, ec] = std::from_chars(string->data(), string->data() + string->size(), out);
  if (ec != std::errc() || end != string->data() + string->size() || string->empty()) return std::nullopt;
  return out;
}

bool Attributes::boolean(std::string_view name) const {
  static constexpr std::array<std::string_view, 6> kFalse{"", "0", "0.0", "f", "false", "off"};
  std::string lower = text(name).value_or("");
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::ranges::find(kFalse, lower) == kFalse.end();
}

}  // namespace outrigger::judge0
