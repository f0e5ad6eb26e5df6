#pragma once

#include <filesystem>
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

// server.tokens_file, or <lib dir>/tokens/tokens.jsonl.
std::filesystem::path tokens_file(const Config& config);

// kInvalid where the daemon would listen for other machines and nobody's token is asked for.
base::Status check_guarded(const Config& config, bool has_tokens);

}  // namespace outrigger::config
