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

void become_guest() {
  check(jail::become(jail::kGuestId));
  check(jail::drop_capabilities());
  ::setsid();
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
