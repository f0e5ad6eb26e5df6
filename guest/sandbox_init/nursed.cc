#include <errno.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"
#include "jail/template.h"

namespace outrigger::guest {
namespace {

// The template forks the guest when it hears this; what it said before on the control socket has failed the jail.
void tell_that_it_stands() {
  jail::Report built;
  built.kind = jail::ReportKind::kReady;
  built.setup_cpu_ns = now(CLOCK_PROCESS_CPUTIME_ID);
  if (::send(jail::kLaunchFd, &built, sizeof built, MSG_NOSIGNAL) < 0) ::_exit(1);
}

}  // namespace

// As run_jail(), but that the guest is not this process's child. It enters the finished jail by itself, and seals
// itself with a filter of its own, whose listener it sends; the filter of this process has none.
void run_nursed() {
  const jail::Plan plan = receive_plan(jail::kLaunchFd);
  build_jail(plan, jail::kPristineImage, jail::kPristineImage);
  check(jail::load_filter(nullptr));
  ::close(jail::kFilterFd);
  check(jail::keep_collecting_capabilities());
  tell_that_it_stands();
  supervise({.nurse = jail::kLaunchFd});
}

}  // namespace outrigger::guest
