#pragma once

namespace outrigger::jailer {

// Kills every child of this process, and waits until all are dead and reaped, those it has inherited included
// (PR_SET_CHILD_SUBREAPER of prctl(2)). What lived in a pid namespace whose first process was among them is dead too:
// the kernel lets that one end last (pid_namespaces(7)). Needs /proc, a single thread and CAP_KILL.
void end_children();

}  // namespace outrigger::jailer
