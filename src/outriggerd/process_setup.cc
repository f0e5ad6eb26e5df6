#include "outriggerd/process_setup.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace outrigger::outriggerd {

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

void ignore_broken_pipes() { static_cast<void>(::signal(SIGPIPE, SIG_IGN)); }

}  // namespace outrigger::outriggerd
