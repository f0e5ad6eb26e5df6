#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/error.h"
#include "config/config.h"

namespace outrigger::outriggerd {

// Whom the daemon becomes.
struct Identity {
  uid_t uid = 0;
  gid_t gid = 0;
};

// config.user, or the id just below the jails' range. Never root, never an id that a jail uses.
base::Result<Identity> resolve_identity(const config::Config& config);

// Room for this many descriptors, and no core dumps: memory of this process holds callers' programs and tokens.
base::Status set_resource_limits(std::uint64_t descriptors);

// Gives up root for good: no new privileges, no group, no capability in any set, not traceable by its own user. Then
// tries to get back, and fails if it can. Needs root.
base::Status drop_privileges(const Identity& identity);

}  // namespace outrigger::outriggerd
