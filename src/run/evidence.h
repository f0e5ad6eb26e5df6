#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/limits.h"
#include "model/outcome.h"

namespace outrigger::run {

// What the daemon itself did to end a job, if it did anything.
enum class Action { kNone, kWallClock, kCpuTime, kViolation, kCancelled, kClientLeft, kShutDown };

// A system call the filter stopped.
struct Violation {
  std::string syscall;
  std::vector<std::string> args;  // hexadecimal
  std::uint64_t count = 1;
};

// All that is known of a job's end. The verdict is a function of this and of nothing else.
struct Evidence {
  model::Limits limits;
  // The first thing the daemon did, set only if the main process had not been reported dead before.
  Action first_action = Action::kNone;
  // From sandbox_init: the main process's wait status. Absent if the jail died before it could tell.
  std::optional<int> guest_status;
  // The jailer died before the main process was reported dead, and the jail with it.
  bool jailer_died = false;
  // A step of making the jail, or of starting the program in it, that failed.
  std::optional<base::Error> failed_step;
  std::vector<Violation> violations;
  model::Usage usage;
  bool tmp_out_of_space = false;
  bool tmp_out_of_inodes = false;
  bool stdout_truncated = false;
  bool stderr_truncated = false;
};

}  // namespace outrigger::run
