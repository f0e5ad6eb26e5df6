#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "sys/process.h"

// Starting sandbox_init: what the jailer does for a jail or a template, and a template for its jails.
namespace outrigger::jail {

struct InitProcess {
  int program = -1;               // sandbox_init
  const char* mode = nullptr;     // of jail/plan.h
  std::span<const int> fds = {};  // become 0, 1, 2 ... in it; at most 16; it inherits nothing else
  int into_cgroup = -1;           // v2: the directory of the group it is born in
};

// Clones it into a jail's namespaces with the capabilities over them that its steps need. It waits for its id maps and
// its plan. Error steps: clone, exec_init.
base::Result<sys::Child> start_init(const InitProcess& init);

// A descriptor that keeps its mount namespace alive: taking one apart takes the kernel as long as a short job, and
// whoever lets go last waits for it. Held, its pid 1 is gone at once. Invalid where it can't be had, which costs
// nothing else.
base::UniqueFd hold_mounts(pid_t pid);

// The map of a jail's two ids onto a pair that begins with `first`.
std::string jail_id_map(std::uint32_t first);

// Writes both maps: lines of "inside outside count" (user_namespaces(7)). The caller's /proc must show the process.
// Error step: write_maps.
base::Status write_id_maps(pid_t pid, const std::string& map);

}  // namespace outrigger::jail
