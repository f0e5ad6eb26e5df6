#pragma once

#include "jail/steps/result.h"

// What seals a jail, one mechanism a file. Each either holds afterwards or says why not; there is no lesser form.
namespace outrigger::jail {

// cgroup.cc ---------------------------------------------------------------------------------------------------------
// Moves the caller into the groups whose `tasks` files are open at `first` and after, and closes them. Writing one's
// own "0" costs 30 us where moving another process costs 5 to 10 ms. The kernel checks the opener's rights
// (CVE-2021-4197).
StepResult join_cgroups(int first, unsigned count);
// A cgroup namespace rooted where the job stands, so that /proc/self/cgroup says "/" (cgroup_namespaces(7)).
StepResult enter_cgroup_namespace();

// ids.cc --------------------------------------------------------------------------------------------------------------
// All three uids and gids to `id`, no supplementary groups (user_namespaces(7): needs the maps to be written).
StepResult become(unsigned id);

// mounts.cc -----------------------------------------------------------------------------------------------------------
// An image's tree (read-only, nosuid, nodev, /dev inside it) bound as the future root; becomes the working directory.
StepResult mount_root(const char* source, const char* target);
// Instead of the image's /dev: one that has /dev/tty too, with a devpts of this jail's own (filesystems/devpts in the
// kernel's documentation) that has room for one terminal. Only who opens its multiplexer here, pid 1, gets that one.
// Before mount_shm.
StepResult mount_terminal();
// Its two ends, after mount_terminal() and before pivot(). The slave is the guest's kTerminalPath, here open for
// reading.
StepResult open_terminal(int* master, int* slave);
// The same tree once more, below the future root.
StepResult mount_pristine(const char* source);
StepResult mount_tmp(const Plan& plan);
StepResult mount_shm(const Plan& plan);
// Enters the new root by pivot_root(2) and lets go of the old one.
StepResult pivot();

// proc.cc -------------------------------------------------------------------------------------------------------------
// A /proc of this pid namespace, read-only, hidepid=2. Must run while the old, uncovered /proc is still in this mount
// namespace: the kernel refuses a new one otherwise (mount_too_revealing in fs/namespace.c).
StepResult mount_proc();
// A template's, in which it writes the id maps of its jails: nothing of it covered, or they could not mount their own.
StepResult mount_open_proc();
// Covers what tells of the host.
StepResult mask_proc();

// privileges.cc -------------------------------------------------------------------------------------------------------
StepResult set_host_name();
StepResult drop_bounding_set();
StepResult set_no_new_privs();
// One byte, not none: where the host pipes core dumps to a helper that it runs as its root, limit 0 does not stop it
// and 1 does (fs/coredump.c). Set before the filter, which keeps the guest from changing it.
StepResult forbid_core_helper();

// A nice value or a policy above the usual is the daemon's; guests would inherit it (sched(7)). One below stays.
StepResult take_usual_priority();
// Empties the effective, permitted, inheritable and ambient sets (capabilities(7)).
StepResult drop_capabilities();
// All but two, in permitted and effective alone, so that no exec and no child can get them: CAP_KILL, to end the guest,
// and CAP_DAC_READ_SEARCH, to read what it leaves. Over the jail's own user namespace, so over its two ids only.
StepResult keep_collecting_capabilities();
// All but CAP_KILL, likewise: of a jail whose guest may be sent signals.
StepResult keep_signalling_capability();

// filter.cc -----------------------------------------------------------------------------------------------------------
// Loads the filter from kFilterFd for this thread and all it will fork; *listener becomes the notification descriptor.
// Without `listener` nobody is told of what is stopped, the caller of it gets ENOSYS.
StepResult load_filter(int* listener);

}  // namespace outrigger::jail
