#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"

namespace outrigger::guest {
namespace {

using jail::Step;
using jail::StepResult;

// A limit is only ever lowered: what this process has no right to raise, it keeps.
StepResult limit(int resource, rlim_t soft, rlim_t hard) {
  rlimit current{};
  if (::getrlimit(resource, &current) != 0) return jail::failed(Step::kResourceLimits);
  const rlimit wanted{soft < current.rlim_max ? soft : current.rlim_max,
                      hard < current.rlim_max ? hard : current.rlim_max};
  if (::setrlimit(resource, &wanted) != 0) return jail::failed(Step::kResourceLimits);
  return jail::done();
}

StepResult set_limits(rlim_t cpu_seconds) {
  struct Limit {
    int resource;
    rlim_t soft;
    rlim_t hard;
  };
  // Not here: RLIMIT_NPROC counts a uid over the whole host, RLIMIT_AS kills V8 and Go. Tasks and memory are the
  // cgroup's.
  const Limit limits[] = {
      {RLIMIT_CPU, cpu_seconds, cpu_seconds + 1},  // SIGXCPU, and SIGKILL a second later for who ignores it
      {RLIMIT_NOFILE, 1024, 4096},
      {RLIMIT_MEMLOCK, 64 << 10, 64 << 10},
      {RLIMIT_MSGQUEUE, 0, 0},
      {RLIMIT_NICE, 0, 0},
      {RLIMIT_RTPRIO, 0, 0},
  };
  for (const Limit& one : limits) {
    if (const StepResult result = limit(one.resource, one.soft, one.hard); !result.ok()) return result;
  }
  return jail::done();
}

void check(const StepResult& result) {
  if (!result.ok()) fail(result);
}

}  // namespace

void become_guest() {
  check(jail::become(jail::kGuestId));
  check(jail::drop_capabilities());
  ::setsid();
  ::umask(022);
  // Open still: stdio, and the two sockets, which go with the exec. Everything else goes now.
  if (::syscall(SYS_close_range, jail::kLaunchFd + 1, ~0U, 0) != 0) fail(jail::failed(Step::kCloseDescriptors));

  Program program{};
  check(read_program(&program));
  check(set_limits(program.cpu_seconds));
  if (!program.keeps_launch_socket) ::close(jail::kLaunchFd);
  if (::fcntl(jail::kControlFd, F_SETFD, FD_CLOEXEC) != 0) fail(jail::failed(Step::kCloseDescriptors));
  ::execve(program.argv[0], program.argv, program.envp);
  fail(jail::failed(Step::kExec));
}

}  // namespace outrigger::guest
