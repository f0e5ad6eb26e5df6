#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::base {

// RFC 4648 section 4, with padding, without line breaks.
std::string base64_encode(std::string_view bytes);

// Nothing for a character outside the alphabet, wrong padding, or non-zero trailing bits: one text, one meaning.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace outrigger::base
