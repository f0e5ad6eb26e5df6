#pragma once

#include <optional>
#include <string_view>

namespace outrigger::cli {

// "67108864", "64M", "1.5G", "512k": bytes, K, M, G being powers of 1024. Nothing for what is no size, negative or not
// a whole number of bytes.
std::optional<double> parse_bytes(std::string_view text);

// "0.5", "2000": a plain decimal number, not negative, as a whole.
std::optional<double> parse_number(std::string_view text);

}  // namespace outrigger::cli
