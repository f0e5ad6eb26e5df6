#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/unique_fd.h"
#include "jail/cgroup_driver.h"
#include "jail/plan.h"
#include "jailer/channels.h"
#include "sys/process.h"

namespace outrigger::jailer {

struct SpawnedJail {
  sys::Child init;
  base::UniqueFd mounts;  // jail::hold_mounts
  JailEnds ends;
};

struct SpawnOptions {
  int sandbox_init;             // the program
  int filter;                   // a sealed memfd
  std::uint32_t first_host_id;  // of the pair
  int network;                  // the network namespace the jail is to live in
  int home_network;             // the caller's own, to which it returns
};

// Starts sandbox_init in namespaces of its own and sends it on its way: channels, clone, id maps, plan. What it then
// does and how it fares comes over the control socket. Error steps: channels, enter_network, clone, exec_init,
// write_maps, send_plan; a failed spawn leaves no process behind.
base::Result<SpawnedJail> spawn_jail(const jail::Plan& plan, const jail::Group& group, const SpawnOptions& options);

// Kills a child and reaps it: for one that could not be sent on its way.
void end_at_once(sys::Child& child);

}  // namespace outrigger::jailer
