#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace outrigger::wire {

// RFC 3339 in UTC with microseconds, always of one length, so that texts sort as times do:
// 2025-01-31T09:30:00.125000Z.
std::string time_text(std::chrono::system_clock::time_point time);

// RFC 3339's date-time: any offset, up to nine decimals (cut to microseconds). Nothing for anything else.
std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view text);

}  // namespace outrigger::wire
