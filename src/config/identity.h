#pragma once

#include <sys/types.h>

#include "base/error.h"
#include "config/config.h"

namespace outrigger::config {

// Whom the daemon becomes once it has started.
struct Identity {
  uid_t uid = 0;
  gid_t gid = 0;
};

// config.user, or the id just below the jails' range. Never root, never an id that a jail uses.
base::Result<Identity> resolve_identity(const Config& config);

}  // namespace outrigger::config
