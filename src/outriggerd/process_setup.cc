#include "outriggerd/process_setup.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace outrigger::outriggerd {
namespace {

// The first version of sched_setattr(2)'s struct sched_attr, 48 bytes. The kernel's header of it and libc's sched.h
// each define struct sched_param.
struct SchedAttributes {
  std::uint32_t size = sizeof(SchedAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // of the usual policy: the length of a turn
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

}  // namespace

base::Status reset_inherited_state() {
  for (int number = 1; number < NSIG; ++number) {
    static_cast<void>(::signal(number, SIG_DFL));  // SIGKILL, SIGSTOP and libc's own refuse, which is well
  }
  sigset_t none;
  ::sigemptyset(&none);
  if (const int error = ::pthread_sigmask(SIG_SETMASK, &none, nullptr); error != 0) {
    return base::system_error("reset_signals", {}, error);
  }
  ::umask(0022);
  // Else the next socket would become standard output, and a log line an answer.
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", O_RDWR) != fd) return base::system_error("open_standard_descriptors", "/dev/null");
  }
  return {};
}

void ask_for_short_slices() {
  constexpr std::uint64_t kNanoseconds = 100'000;  // the least the kernel takes
  SchedAttributes attributes;
  // libc has no wrapper for the two.
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.runtime = kNanoseconds;
  static_cast<void>(::syscall(SYS_sched_setattr, 0, &attributes, 0));
}

void ignore_broken_pipes() { static_cast<void>(::signal(SIGPIPE, SIG_IGN)); }

}  // namespace outrigger::outriggerd
