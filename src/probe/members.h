#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "probe/group.h"

namespace outrigger::probe {

// The processes of a job's group, as /proc shows them at one moment.
struct MemberList {
  std::size_t count = 0;
  std::vector<pid_t> outside = {};  // those that are not in the jail's pid namespace, by their pid in ours
  bool namespaces_known = true;     // false: the kernel did not show all of them, `outside` says nothing of the rest
};

// From cgroup.procs (on v1 of the memory hierarchy) and /proc/PID. Who ends meanwhile is no member; who is ending has
// no namespace any more and is not outside. Errors: kNotFound where the group is gone, kSystem.
base::Result<MemberList> read_members(const Group& group);

// One process and its pid namespace.
struct Member {
  pid_t pid = 0;
  std::uint64_t pid_namespace = 0;  // its inode
  std::size_t depth = 1;            // how deep it lies below ours: 1 is ours (NSpid, proc(5))
  pid_t innermost = 0;              // the process's id in its own namespace
};

// Those that are not in the jail's namespace. That is the one of an init (id 1) among them, the least deep where the
// jailed have made more; without one, that of most members. Ours is never the jail's.
std::vector<pid_t> outside_of(std::span<const Member> members, std::uint64_t ours);

}  // namespace outrigger::probe
