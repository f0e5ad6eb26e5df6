#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace outrigger::cli {

// "67108864", "64M", "1.5G", "512k": bytes, K, M, G being powers of 1024. Nothing for what is no size, negative or not
// a whole number of bytes.
std::optional<double> parse_bytes(std::string_view text);

// "0.5", "2000": a plain decimal number, not negative, as a whole.
std::optional<double> parse_number(std::string_view text);

// "30d", "12h", "90m", "45s": a whole number of days, hours, minutes or seconds; at most a hundred years, and not zero.
std::optional<std::chrono::seconds> parse_lifetime(std::string_view text);

}  // namespace outrigger::cli
