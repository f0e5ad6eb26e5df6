#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "config/identity.h"

namespace outrigger::outriggerd {

using config::Identity;

// Room for this many descriptors, and no core dumps: memory of this process holds callers' programs and tokens.
base::Status set_resource_limits(std::uint64_t descriptors);

// Gives up root for good: no new privileges, no group, no capability in any set, not traceable by its own user. Then
// tries to get back, and fails if it can. Needs root.
base::Status drop_privileges(const Identity& identity);

}  // namespace outrigger::outriggerd
