#pragma once

#include <string_view>

#include "config/config.h"
#include "config/paths.h"

namespace outrigger::config {

inline constexpr std::string_view kTokenRule = "must be made of letters, digits and - . _ ~ + / =, and not be empty";

// Whether a text can stand in an Authorization header (RFC 6750, section 2.1).
bool is_token(std::string_view text);

// OUTRIGGER_TOKENS: bearer tokens with commas or blanks between them, instead of the file's. kInvalid names the
// variable, never its value.
base::Status apply_token_environment(Config& config, const Environment& environment);

}  // namespace outrigger::config
