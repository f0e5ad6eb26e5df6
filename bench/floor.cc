// The floor under every jail: clone3 of a process into six new namespaces (user, pid, mount, net, ipc, uts), execve of
// /bin/true, and the wait for its end. No cgroup, no mount, no id map, no filter: nothing a jail needs beyond the
// namespaces themselves. The clone shares memory until exec, the cheapest there is, so the floor is as low as it can
// be.

#include <linux/sched.h>
#include <poll.h>
#include <unistd.h>

#include <array>

#include "rounds.h"
#include "sys/process.h"

namespace outrigger::bench {
namespace {

constexpr std::uint64_t kSixNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
constexpr int kExecFailed = 127;

// Shares the parent's memory: system calls only.
void exec_true(void*) {
  static constexpr char kTrue[] = "/bin/true";
  char* const argv[] = {const_cast<char*>(kTrue), nullptr};  // NOLINT: execve does not write
  char* const envp[] = {nullptr};
  ::execve(kTrue, argv, envp);
  ::_exit(kExecFailed);
}

base::Result<Nanoseconds> one_round() {
  const auto begin = Clock::now();
  const auto child = sys::spawn_vfork(kSixNamespaces, -1, exec_true, nullptr);
  if (!child) return std::unexpected(child.error());
  pollfd ended{child->pidfd.get(), POLLIN, 0};
  while (::poll(&ended, 1, -1) < 0) {
    if (errno != EINTR) return base::system_error("poll");
  }
  const auto status = sys::reap(child->pidfd.get());
  const Nanoseconds took = Clock::now() - begin;
  if (!status) return std::unexpected(status.error());
  if (*status != 0) return base::failure(base::Code::kInternal, "/bin/true", "did not exit with 0");
  return took;
}

}  // namespace
}  // namespace outrigger::bench

int main() { return outrigger::bench::serve(outrigger::bench::one_round); }
