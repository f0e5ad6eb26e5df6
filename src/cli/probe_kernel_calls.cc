#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "base/unique_fd.h"
#include "cli/probe.h"

namespace outrigger::cli {
namespace {

using Answer = base::Result<std::string>;
using base::system_error;

constexpr int kPatienceMs = 5000;
// A harmless call that nothing else in these few lines makes.
constexpr int kWatched = SYS_getpriority;

// Installs a filter that reports the watched call; the descriptor on which it does, or -1.
int install_filter() {
  std::array<sock_filter, 4> program{sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                     sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kWatched, 0, 1),
                                     sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
                                     sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{program.size(), program.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

// Waits for the watched call and lets it fail with a number that no kernel gives.
base::Status answer_one(int listener) {
  pollfd wait{listener, POLLIN, 0};
  if (::poll(&wait, 1, kPatienceMs) != 1) return system_error("seccomp_listener", "nothing was reported", ETIMEDOUT);
  seccomp_notif call{};
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return system_error("seccomp_receive");
  seccomp_notif_resp reply{call.id, 0, -ENOANO, 0};
  if (call.data.nr != kWatched) return base::failure(base::Code::kUnsupported, "seccomp_receive", "another call came");
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply) != 0) return system_error("seccomp_send");
  return {};
}

// The listener stays in the parent: fork after installing it, and let the child make the call.
Answer seccomp() {
  const base::UniqueFd listener(install_filter());
  if (!listener) return system_error("seccomp");
  const pid_t child = ::fork();
  if (child < 0) return system_error("fork");
  if (child == 0) {
    errno = 0;
    ::syscall(kWatched, PRIO_PROCESS, 0);
    ::_exit(errno == ENOANO ? 0 : 1);
  }
  const base::Status answered = answer_one(listener.get());
  if (!answered) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answered) return std::unexpected(answered.error());
  if (status != 0) return base::failure(base::Code::kUnsupported, "seccomp", "the reported call was not answered");
  return "filtered a call, heard of it and answered it";
}

Answer pidfd() {
  const pid_t child = ::fork();
  if (child < 0) return system_error("fork");
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const base::UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  const int open_error = errno;
  const bool sent = fd && ::syscall(SYS_pidfd_send_signal, fd.get(), SIGKILL, nullptr, 0) == 0;
  const int send_error = errno;
  if (!sent) ::kill(child, SIGKILL);
  pollfd wait{fd.get(), POLLIN, 0};
  const bool seen = fd && ::poll(&wait, 1, kPatienceMs) == 1;
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!fd) return system_error("pidfd_open", {}, open_error);
  if (!sent) return system_error("pidfd_send_signal", {}, send_error);
  if (!seen) return system_error("pidfd_poll", "the death was not reported", ETIMEDOUT);
  return "killed a process by one and saw it end";
}

}  // namespace

std::vector<Finding> probe_kernel_calls() {
  return {probe("seccomp", "needs kernel 5.9 or newer with CONFIG_SECCOMP_FILTER", seccomp),
          probe("pidfd", "needs kernel 5.4 or newer", pidfd)};
}

}  // namespace outrigger::cli
