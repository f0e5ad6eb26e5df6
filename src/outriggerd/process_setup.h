#pragma once

#include "base/error.h"

namespace outrigger::outriggerd {

// What a parent may have handed down and must not matter: blocked and ignored signals, closed standard descriptors, a
// umask. Child processes inherit the result.
base::Status reset_inherited_state();

// A client that closes its connection, or a reader of our log, must not end the process. Not for child processes.
void ignore_broken_pipes();

}  // namespace outrigger::outriggerd
