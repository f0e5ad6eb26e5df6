#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"
#include "launch.h"

namespace outrigger::guest {
using jail::Step;

namespace {

// The first terminal that the leader of a session opens becomes its controlling one (tty_ioctl(4), TIOCSCTTY).
void take_terminal() {
  const int terminal = ::open(jail::kTerminalPath, O_RDWR);
  if (terminal < 0) fail(jail::failed(Step::kOpenTerminal));
  constexpr int kStdio[] = {jail::kStdinFd, jail::kStdoutFd, jail::kStderrFd};
  for (const int fd : kStdio) {
    if (::dup2(terminal, fd) < 0) fail(jail::failed(Step::kOpenTerminal));
  }
}

}  // namespace

void become_guest(const jail::Plan& plan) {
  check(jail::become(jail::kGuestId));
  check(jail::drop_capabilities());
  ::setsid();
  if (plan.terminal != 0) take_terminal();
  ::umask(022);
  // Open still: stdio, and the two sockets, which go with the exec. Everything else goes now.
  if (::syscall(SYS_close_range, jail::kLaunchFd + 1, ~0U, 0) != 0) fail(jail::failed(Step::kCloseDescriptors));

  Program program{};
  check(read_program(&program));
  check(set_resource_limits(program.cpu_seconds));
  if (!program.keeps_launch_socket) ::close(jail::kLaunchFd);
  const int control_flags = program.keeps_control_socket ? 0 : FD_CLOEXEC;
  if (::fcntl(jail::kControlFd, F_SETFD, control_flags) != 0) fail(jail::failed(Step::kCloseDescriptors));
  ::execve(program.argv[0], program.argv, program.envp);
  fail(jail::failed(Step::kExec));
}

}  // namespace outrigger::guest
