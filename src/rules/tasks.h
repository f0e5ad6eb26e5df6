#pragma once

#include "probe/reading.h"

namespace outrigger::rules {

// The kernel's limit counts the jail's own first process beside the job's tasks.
inline constexpr std::uint64_t kInitTasks = 1;

// Whether a reading shows as many tasks as there may be. A job that is allowed a single task has always reached that.
inline bool at_task_limit(const probe::Reading& reading) {
  const probe::Figure& limit = reading.pids_limit;
  return reading.pids && limit && *limit > kInitTasks + 1 && *reading.pids >= *limit;
}

}  // namespace outrigger::rules
