#include "cli/quantity.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace outrigger::cli {

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool whole_text = error == std::errc() && end == text.data() + text.size();
  if (!whole_text || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

std::optional<double> parse_bytes(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': unit = 1024; break;
      case 'm':
      case 'M': unit = 1024.0 * 1024; break;
      case 'g':
      case 'G': unit = 1024.0 * 1024 * 1024; break;
      default: break;
    }
  }
  const auto number = parse_number(unit == 1 ? text : text.substr(0, text.size() - 1));
  if (!number || std::trunc(*number * unit) != *number * unit) return std::nullopt;
  return *number * unit;
}

std::optional<std::chrono::seconds> parse_lifetime(std::string_view text) {
  constexpr double kHundredYears = 100.0 * 366 * 24 * 3600;
  if (text.empty()) return std::nullopt;
  double unit = 0;
  switch (text.back()) {
    case 's': unit = 1; break;
    case 'm': unit = 60; break;
    case 'h': unit = 3600; break;
    case 'd': unit = 24.0 * 3600; break;
    default: return std::nullopt;
  }
  const auto number = parse_number(text.substr(0, text.size() - 1));
  if (!number || std::trunc(*number) != *number || *number == 0 || *number * unit > kHundredYears) return std::nullopt;
  return std::chrono::seconds{static_cast<std::int64_t>(*number * unit)};
}

}  // namespace outrigger::cli
