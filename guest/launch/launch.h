#pragma once

#include "jail/plan.h"
#include "jail/steps/result.h"

// The launch stream (jail/plan.h), as whoever becomes a program reads it from kLaunchFd.
namespace outrigger::guest {

struct Program {
  char* const* argv;
  char* const* envp;
  unsigned argc;
  unsigned command_argc;  // of argc, what is the runtime's; the rest are the caller's arguments
  unsigned long cpu_seconds;
  bool keeps_launch_socket;
  bool keeps_control_socket;
};

// Reads it, joins stderr to stdout where it says so, lays its files, and leaves the working directory at kWorkDir. The
// strings lie in static memory. Error steps: read_launch (EPIPE: it ended too early), lay_files.
jail::StepResult read_program(Program* program);

// limits.cc: what every guest has beside its control groups. Error step: resource_limits.
jail::StepResult set_resource_limits(unsigned long cpu_seconds);

}  // namespace outrigger::guest
