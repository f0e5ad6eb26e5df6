#pragma once

#include <sys/types.h>

namespace outrigger::guest {

// fork(2); the child is born in the cgroup v2 directory `into_cgroup`, unless that is -1. By libc where it can be: a
// process that goes on running libc's code needs libc's idea of its thread kept true. Single-threaded callers only.
// -1 with errno.
pid_t fork_into(int into_cgroup);

}  // namespace outrigger::guest
