#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "view/report.h"

// How figures look to people.
namespace outrigger::view {

std::string age_text(std::chrono::milliseconds age);         // "0.3 s", "59.9 s", "1 m 05 s", "2 h 01 m"
std::string mebibytes(std::uint64_t bytes);                  // "117.9"; without its unit
std::string percent_text(std::optional<double> percent);     // "48 %", "-"
std::string count_text(std::optional<std::uint64_t> count);  // "3", "-"
std::string pair_text(std::optional<std::uint64_t> count, std::optional<std::uint64_t> limit);  // "3/32"

// Control characters, which a terminal would obey, as '?'; what is no UTF-8 as U+FFFD.
std::string printable(std::string_view text);

// A line of bars over the last minute, `width` of them, from the oldest to the newest; blank where there was nothing.
std::string spark_line(const History& history, std::size_t width);

}  // namespace outrigger::view
