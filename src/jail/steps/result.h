#pragma once

#include <errno.h>

#include "jail/plan.h"

// The steps run between clone and exec: no allocation, no exception, no library but libc. They are compiled against
// musl into sandbox_init.
namespace outrigger::jail {

// The outcome of a step: success, or which step failed with what errno.
struct StepResult {
  Step step = Step::kNone;
  int errno_value = 0;
  [[nodiscard]] bool ok() const { return step == Step::kNone; }
};

inline StepResult done() { return {}; }
inline StepResult failed(Step step, int errno_value = errno) { return {step, errno_value}; }

}  // namespace outrigger::jail
