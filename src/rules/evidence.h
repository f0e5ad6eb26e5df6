#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "rules/finding.h"

namespace outrigger::rules {

// A fact of the daemon's summary: absent there is not known here.
template <typename T>
Fact fact_if(std::string name, const std::optional<T>& value) {
  if (!value) return {std::move(name), std::monostate{}};
  if constexpr (std::is_same_v<T, std::chrono::microseconds>) {
    return {std::move(name), static_cast<std::uint64_t>(value->count() < 0 ? 0 : value->count())};
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    return {std::move(name), static_cast<std::uint64_t>(value->count() < 0 ? 0 : value->count())};
  } else if constexpr (std::is_same_v<T, int>) {
    return {std::move(name), static_cast<std::uint64_t>(*value < 0 ? 0 : *value)};
  } else {
    return {std::move(name), *value};
  }
}

// By how much a counter rose; absent where one reading lacks it, or where it fell: then it is another group's.
inline std::optional<std::uint64_t> rise(const probe::Figure& from, const probe::Figure& to) {
  if (!from || !to || *to < *from) return std::nullopt;
  return *to - *from;
}

// Whether `part` is at least `percent` of `whole`, without a rounding at the edge.
inline bool at_least(std::uint64_t part, double percent, std::uint64_t whole) {
  return static_cast<double>(part) * 100.0 >= static_cast<double>(whole) * percent;
}

}  // namespace outrigger::rules
