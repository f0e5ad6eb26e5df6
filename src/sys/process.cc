#include "sys/process.h"

#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace outrigger::sys {
namespace {

constexpr std::size_t kChildStack = 64 * 1024;
alignas(16) std::array<std::byte, kChildStack> child_stack;

// The raw call: libc offers no clone3, and the child returns on another stack, so it must not come back through a C++
// frame. In the child rax is 0: it calls body(argument) and never returns.
long clone3_on_stack(clone_args* args, void (*body)(void*), void* argument) {
  long result = 0;
  register void (*body_register)(void*) asm("r12") = body;
  register void* argument_register asm("r13") = argument;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"
      "mov %%r13, %%rdi\n\t"
      "call *%%r12\n\t"
      "mov $127, %%edi\n\t"
      "mov %[exit_number], %%eax\n\t"
      "syscall\n\t"
      "hlt\n"
      "1:"
      : "=a"(result)
      : "0"(static_cast<long>(SYS_clone3)), "D"(args), "S"(sizeof *args), "r"(body_register),
        "r"(argument_register), [exit_number] "i"(SYS_exit_group)
      : "rcx", "r11", "memory", "cc");
  return result;
}

}  // namespace

base::Result<Child> spawn_vfork(std::uint64_t namespace_flags, int into_cgroup, void (*body)(void*), void* argument) {
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | namespace_flags;
  args.pidfd = reinterpret_cast<std::uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uint64_t>(child_stack.data());
  args.stack_size = child_stack.size();
  if (into_cgroup >= 0) {
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(into_cgroup);
  }
  const long pid = clone3_on_stack(&args, body, argument);
  if (pid < 0) return base::system_error("clone", {}, static_cast<int>(-pid));
  return Child{static_cast<pid_t>(pid), base::UniqueFd(pidfd)};
}

base::Status send_signal(int pidfd, int signal) {
  if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) != 0 && errno != ESRCH) {
    return base::system_error("pidfd_send_signal");
  }
  return {};
}

base::Result<std::optional<int>> reap(int pidfd) {
  siginfo_t info{};
  int rc = -1;
  do {
    rc = ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG);
  } while (rc != 0 && errno == EINTR);
  if (rc != 0) return base::system_error("waitid");
  if (info.si_pid == 0) return std::optional<int>{};
  // Back into the classic form of wait(2), which is what the rest of the house speaks.
  if (info.si_code == CLD_EXITED) return std::optional<int>(W_EXITCODE(info.si_status, 0));
  return std::optional<int>(info.si_status | (info.si_code == CLD_DUMPED ? WCOREFLAG : 0));
}

bool has_events(int fd) {
  pollfd entry{fd, POLLIN, 0};
  return ::poll(&entry, 1, 0) != 0;
}

}  // namespace outrigger::sys
