#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::sys {

struct Child {
  pid_t pid = -1;
  base::UniqueFd pidfd;
};

// clone3(2) with CLONE_VM | CLONE_VFORK and these namespace flags: the child runs `body(argument)` on a stack of its
// own while the caller waits, until it calls execve or _exit. It shares all memory with the caller, so `body` must only
// make system calls. into_cgroup: a cgroup v2 directory to be born in, or -1. A clone of the small jailer costs a third
// of one that copies page tables.
base::Result<Child> spawn_vfork(std::uint64_t namespace_flags, int into_cgroup, void (*body)(void*), void* argument);

// Sends by pidfd; ESRCH (already gone) is success.
base::Status send_signal(int pidfd, int signal);

// The wait status of a child that has ended, and reaps it; nothing while it still lives.
base::Result<std::optional<int>> reap(int pidfd);

// Whether poll(2) has anything to say of a descriptor at this moment, an error included.
bool has_events(int fd);

}  // namespace outrigger::sys
