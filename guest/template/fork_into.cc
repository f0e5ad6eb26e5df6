#include "fork_into.h"

#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace outrigger::guest {
namespace {

// What libc's own fork has the kernel do for the child's thread structure (sysdeps/unix/sysv/linux/arch-fork.h): its
// thread id is stored there, and cleared when it ends. The address is the one this thread has registered.
pid_t clone_into(int into_cgroup, std::uint64_t tid_address) {
  clone_args args{};
  args.flags = CLONE_INTO_CGROUP | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
  args.child_tid = tid_address;
  args.exit_signal = SIGCHLD;
  args.cgroup = static_cast<std::uint64_t>(into_cgroup);
  void* robust_list = nullptr;
  std::size_t robust_size = 0;
  ::syscall(SYS_get_robust_list, 0, &robust_list, &robust_size);
  const long pid = ::syscall(SYS_clone3, &args, sizeof args);
  if (pid == 0) ::syscall(SYS_set_robust_list, robust_list, robust_size);
  return static_cast<pid_t>(pid);
}

}  // namespace

pid_t fork_into(int into_cgroup) {
  if (into_cgroup < 0) return ::fork();
  std::uint64_t tid_address = 0;
  if (::prctl(PR_GET_TID_ADDRESS, &tid_address, 0, 0, 0) != 0) return -1;
  return clone_into(into_cgroup, tid_address);
}

}  // namespace outrigger::guest
