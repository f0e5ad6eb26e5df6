#pragma once

#include <expected>
#include <optional>
#include <string>

#include "cli/live_output.h"
#include "cli/request.h"
#include "http/client.h"
#include "model/outcome.h"
#include "wire/error_json.h"

namespace outrigger::cli {

// What came of a run: the API's document, and the same as data.
struct Answer {
  std::string json;
  model::Outcome outcome;
  std::optional<Told> told = {};  // its output was written while it ran, and is not in `outcome`
};

using Answered = std::expected<Answer, wire::ErrorBody>;

// Asks the daemon at options.server. `streamed`: its output is written here while it runs.
Answered run_remote(const RunOptions& options, const Program& program, model::OutputEncoding encoding, bool streamed);

// Makes the one jail here, by a jailer of our own. Needs root.
Answered run_local(const RunOptions& options, const Program& program, model::OutputEncoding encoding, bool streamed);

// The ways of run_remote() share these: following events, the request, and an answer that came whole.
Answered run_streamed(const RunOptions& options, const Program& program, model::OutputEncoding encoding);
http::Request execute_request(const RunOptions& options, const Program& program, model::OutputEncoding encoding);
Answered understood(http::Answer& answer, const RunOptions& options, model::OutputEncoding encoding);

// 0 to 255 as a shell shows it: the guest's own, or kExitFailed where it may not have run.
int exit_status(const model::Outcome& outcome);

// The one line for stderr where a program did not simply end: "timeout: wall clock of 5000 ms passed". Else empty.
std::string end_note(const model::Outcome& outcome);

}  // namespace outrigger::cli
