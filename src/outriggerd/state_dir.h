#pragma once

#include "base/error.h"
#include "base/unique_fd.h"
#include "config/config.h"
#include "outriggerd/privileges.h"

namespace outrigger::outriggerd {

// What the daemon keeps on disk, held open: once it has become its own user it could not reach it by path any more.
struct StateDirs {
  base::UniqueFd jobs;          // <run dir>/jobs
  base::UniqueFd terminations;  // <lib dir>/terminations
  base::UniqueFd audit;         // <lib dir>/audit: the trail's spool and, embedded, its database
  base::UniqueFd queue;         // <lib dir>/queue: the embedded queue, or what is on its way to a shared one
  base::UniqueFd tokens;        // <lib dir>/tokens: root's, for the daemon to read
  base::UniqueFd run;           // <run dir>: for what is written there while the daemon is still root
  base::UniqueFd lock;          // <run dir>/outriggerd.lock, held until the process ends
};

// Makes what is missing and gives these directories to `owner`. kConflict where another daemon uses the place.
base::Result<StateDirs> prepare_state_dirs(const config::Paths& paths, const Identity& owner);

}  // namespace outrigger::outriggerd
