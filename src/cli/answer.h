#pragma once

#include <expected>
#include <string>

#include "cli/request.h"
#include "model/outcome.h"
#include "wire/error_json.h"

namespace outrigger::cli {

// What came of a run: the API's document, and the same as data.
struct Answer {
  std::string json;
  model::Outcome outcome;
};

using Answered = std::expected<Answer, wire::ErrorBody>;

// Asks the daemon at options.server.
Answered run_remote(const RunOptions& options, const Program& program, model::OutputEncoding encoding);

// Makes the one jail here, by a jailer of our own. Needs root.
Answered run_local(const RunOptions& options, const Program& program, model::OutputEncoding encoding);

// 0 to 255 as a shell shows it: the guest's own, or kExitFailed where it may not have run.
int exit_status(const model::Outcome& outcome);

// The one line for stderr where a program did not simply end: "timeout: wall clock of 5000 ms passed". Else empty.
std::string end_note(const model::Outcome& outcome);

}  // namespace outrigger::cli
