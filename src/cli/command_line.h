#pragma once

#include <expected>
#include <span>
#include <string>

#include "cli/options.h"

namespace outrigger::cli {

// The command line was no work to do: help was asked for (status 0, text for stdout) or it is wrong (kExitUsage, a
// sentence and a hint for stderr).
struct NothingToDo {
  int status = 0;
  std::string out;
  std::string err;
};

// `words` without the program's name. OUTRIGGER_SERVER and OUTRIGGER_TOKEN are read from `environment`.
std::expected<Command, NothingToDo> parse_command_line(
    std::span<const std::string> words, const config::Environment& environment = config::process_environment);

}  // namespace outrigger::cli
