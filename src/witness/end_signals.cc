#include "witness/end_signals.h"

#include <signal.h>
#include <sys/signalfd.h>

namespace outrigger::witness {
namespace {

sigset_t end_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

void block_end_signals() {
  sigset_t set = end_signals();
  sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

base::Result<base::UniqueFd> open_end_signals() {
  const sigset_t set = end_signals();
  base::UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return base::system_error("watch_signals");
  return fd;
}

}  // namespace outrigger::witness
