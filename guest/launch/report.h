#pragma once

#include "jail/plan.h"
#include "jail/steps/result.h"

// What the processes of a jail say on its control socket, to the daemon.
namespace outrigger::guest {

// Nanoseconds of a clock_gettime(2) clock.
unsigned long long now(int clock);

// With one descriptor or none. A report that can't be sent has no reader any more: the process ends.
void send_report(const jail::Report& report, int descriptor = -1);
// Any other message of jail/plan.h, likewise.
void send_message(const void* message, unsigned long size, int descriptor);
// That a step failed; then this process has nothing left to do.
[[noreturn]] void fail(const jail::StepResult& result);
inline void check(const jail::StepResult& result) {
  if (!result.ok()) fail(result);
}

}  // namespace outrigger::guest
