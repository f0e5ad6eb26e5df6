#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace outrigger::base {

// snprintf(3) into a string, for numbers: what is longer than 63 characters is cut.
template <typename... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace outrigger::base
