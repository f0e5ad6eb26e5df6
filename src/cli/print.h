#pragma once

#include <string>
#include <string_view>

#include "wire/error_json.h"

namespace outrigger::cli {

// All bytes to a descriptor; false where that failed.
bool write_all(int fd, std::string_view bytes);

// The line and a newline to stdout. The exit status: 0, or kExitFailed where stdout can't take it.
int print_line(std::string_view line);

// "outrigger: <text>" to stderr.
void complain(std::string_view text);

// Outrigger failed: a sentence on stderr, or with `json` the error's document on stdout. Gives kExitFailed.
int fail(const wire::ErrorBody& error, bool json);

}  // namespace outrigger::cli
