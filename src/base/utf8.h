#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace outrigger::base {

bool is_utf8(std::string_view bytes);

// `bytes` as valid UTF-8: every maximal ill-formed subpart becomes one U+FFFD (Unicode 15, section 3.9, the practice
// WHATWG's decoder follows too).
std::string to_utf8(std::string_view bytes);

// The length of the longest prefix of `bytes` that does not end inside a character. Bytes that can never become a
// character are kept: only an unfinished, so far well-formed sequence at the very end is cut.
std::size_t complete_prefix(std::string_view bytes);

}  // namespace outrigger::base
