#include "cli/quantity.h"

#include <charconv>
#include <cmath>
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

}  // namespace outrigger::cli
