#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jailer/announced.h"
#include "model/limits.h"
#include "model/runtime.h"

namespace outrigger::jailer {

// What a runtime's templates are started from (jail/template.h).
struct TemplateFiles {
  base::UniqueFd host;    // the library that makes a template of the runtime's program
  base::UniqueFd launch;  // a file with its launch stream
};

// What the privileged process is told once, before it accepts anything: after this it can only build these jails.
struct StartOptions {
  std::string program;         // path of outrigger-jailer
  std::string sandbox_init;    // path of sandbox_init
  std::uint32_t uid_base = 0;  // first of the 65,536 host ids that belong to jails; jailers share them by leases
  std::uint32_t slots = 16;    // no more jails than this at a time
  std::string cgroup_root;     // empty: probe
  model::Limits ceilings;      // of jobs; a runtime's compile step may have more
  std::vector<model::InstalledRuntime> runtimes;  // those with an image
  std::vector<TemplateFiles> templates;           // by runtime, invalid where it has none; empty: nobody has
};

// A running keeper and its first jailer, not yet attached to an event loop.
struct Started {
  base::UniqueFd keeper;        // SOCK_SEQPACKET; closing it ends the keeper once its jailer has ended
  base::UniqueFd keeper_pidfd;  // readable when the keeper has died; a child of this process
  Serving jailer;
  std::string cgroup_driver;  // "v2", "v1"
  std::string cgroup_root;    // where the jails' groups lie, for /health
  std::vector<bool> forks;    // by runtime: whether it has templates
};

// Starts the keeper and with it a jailer, and waits (at most a minute) until that has proved it can work: image trees
// opened, a cgroup made, limited and removed, a filter built for each runtime, its first template ready. The error
// names the step that failed. Needs root; call it before giving up privileges, and before any thread is started.
base::Result<Started> start(const StartOptions& options);

}  // namespace outrigger::jailer
