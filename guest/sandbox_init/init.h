#pragma once

#include "jail/plan.h"
#include "jail/steps/result.h"

// sandbox_init: pid 1 of a jail.
namespace outrigger::guest {

// supervise.cc: nanoseconds of a clock_gettime(2) clock.
unsigned long long now(int clock);

// supervise.cc: reports on the control socket. A report that can't be sent has no reader any more: the jail ends.
void send_report(const jail::Report& report, int descriptor = -1);
[[noreturn]] void fail(const jail::StepResult& result);

// supervise.cc: what pid 1 does for the rest of its life: reaps whatever dies, watches the control socket and its own
// alarm, and reports the end of `guest`. Returning from main would do the same as its last line: the kernel kills all.
[[noreturn]] void supervise(int guest);

// guest.cc: what pid 2 does: seals itself, reads its program from the launch socket, and becomes it.
[[noreturn]] void become_guest();

// launch.cc: the launch stream.
struct Program {
  char* const* argv;
  char* const* envp;
  unsigned long cpu_seconds;
  bool keeps_launch_socket;
};
jail::StepResult read_program(Program* program);

}  // namespace outrigger::guest
