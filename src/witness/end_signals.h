#pragma once

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::witness {

// SIGINT, SIGTERM and SIGHUP, by which a program is ended in order, and SIGPIPE: blocked for the whole process, if
// called before any thread is started.
void block_end_signals();

// The first three as a signalfd(2), non-blocking. They must be blocked.
base::Result<base::UniqueFd> open_end_signals();

}  // namespace outrigger::witness
