#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/outcome.h"
#include "run/evidence.h"

namespace outrigger::run {

struct Verdict {
  model::Status status = model::Status::kInternalError;
  std::optional<int> exit_code;
  std::optional<std::string> signal;
  model::Cause cause;
  std::vector<model::SecurityEvent> events;
};

// What became of a job. Pure. The first cause wins: a failed step; then what the daemon did first; then the jailer's
// death; then how the main process ended, where a SIGKILL is a memory ceiling only if the kernel counted an OOM kill in
// the job's own group. An exit status is taken at its word: exit(137) is a failure, not a kill.
Verdict decide(const Evidence& evidence);

}  // namespace outrigger::run
