#pragma once

#include <string_view>

#include "probe/places.h"
#include "probe/reading.h"

// What the machine, and the groups above the jobs', say.
namespace outrigger::probe {

// MemTotal of /proc/meminfo, bytes: the memory the kernel has for anything at all (proc(5)).
Figure memory_total_bytes();

// Two figures that tell why a job's process may have been killed for memory though the job kept its own ceiling. They
// count up for ever; what they prove lies in their rise while the job lived.

// v2: the sum of memory.events.local "oom" of the directory of the jobs' groups and of all above it that are seen here.
// A rise proves that the ceiling of one of these was reached and an allocation about to fail; the kernel then chose a
// victim from all that lies below, which may be any job (kernel: cgroup-v2.rst, memory.events). It proves nothing of
// groups above our cgroup namespace's root, which are hidden. v1 counts no such thing: kNoFile.
Figure ancestor_ooms(const Places& places);

// /proc/vmstat "oom_kill": all kills for memory on the whole machine, those by any group's ceiling included. If it did
// not rise, nobody was killed for memory; a rise that the jobs' own oom_kill counters do not make up for only hints at
// a shortage of the machine or of a group elsewhere.
Figure host_oom_kills();

}  // namespace outrigger::probe
