#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::base {

// RFC 4648 section 4, with padding, without line breaks.
std::string base64_encode(std::string_view bytes);

// Nothing for a character outside the alphabet, wrong padding, or non-zero trailing bits: one text, one meaning.
std::optional<std::string> base64_decode(std::string_view text);

// As the libraries of node and ruby read it, for clients that were written against those: both alphabets of RFC 4648,
// every other character (line breaks, mostly) passed over, the end at the first "=", bits left over dropped.
std::string base64_decode_loosely(std::string_view text);

}  // namespace outrigger::base
