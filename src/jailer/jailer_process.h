#pragma once

#include <cstdint>

#include "base/unique_fd.h"
#include "jailer/machine.h"

namespace outrigger::jailer {

// The jailer itself, from its start to its end: the templates get ready, the keeper is told so by one Failure on
// `socket` (empty, or why it can't serve), and then whoever holds the other end is served until it closes. The exit
// status. `generation` is its number among its keeper's jailers.
int serve_jails(Machine machine, base::UniqueFd socket, std::uint32_t generation);

}  // namespace outrigger::jailer
