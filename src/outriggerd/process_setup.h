#pragma once

#include "base/error.h"

namespace outrigger::outriggerd {

// What a parent may have handed down and must not matter: blocked and ignored signals, closed standard descriptors, a
// umask. Child processes inherit the result.
base::Status reset_inherited_state();

// A client that closes its connection, or a reader of our log, must not end the process. Not for child processes.
void ignore_broken_pipes();

// Asks the scheduler for short turns, in exchange for early ones: what this process does between two waits takes some
// hundred microseconds, and jobs that spin are given milliseconds. Not for child processes; threads that are started
// later have it, too. From Linux 6.12 on (Documentation/scheduler/sched-eevdf.rst); without effect before, and under
// another scheduling policy than the usual.
void ask_for_short_slices();

}  // namespace outrigger::outriggerd
