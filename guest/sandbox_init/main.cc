// Theory of operation
//
// The jailer clones this program into six new namespaces (user, pid, mount, net, ipc, uts) with the descriptors of
// jail/plan.h and the few capabilities over those namespaces that the steps below need. It writes the id maps and sends
// the plan. Then, in this order, each step failing closed:
//   - into the job's control groups, and a cgroup namespace of its own;
//   - to an id of the jail's own: from here on no id of the host's is involved;
//   - a root of the image, a private /tmp, /dev/shm and /proc, pivot_root, the old root let go;
//   - where it is asked for, a terminal, whose master goes to the daemon;
//   - the bounding set emptied, no_new_privs, the seccomp filter; its listener goes to the daemon with the report
//   "ready";
//   - fork: the child drops to the guest's id and waits for a program (guest.cc); this process keeps two capabilities
//     until it knows whether files will be collected, and supervises (supervise.cc);
//   - where they are: when the main process has ended it kills the rest, and shows what lies in the working directory
//     (collect.cc, walk.cc).
// Everything after the filter runs under it, this process included. Memory of the jail never holds anything of the
// daemon's: this program was exec'd, and all it was told is a plan of six numbers.
//
// For an interpreter that is forked from a template (jail/template.h) the same program has two more modes: it makes the
// place the template lives in and becomes it (template.cc), and the jails the template forks into (nursed.cc).

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"

namespace outrigger::guest {
namespace {

using jail::Step;

// The guest is the first choice of the kernel's OOM killer, within its group and on the whole host, and this process
// the last: it must live to tell. Returns a descriptor on which this process takes its own score back after the fork.
int offer_to_oom_killer() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0 || ::write(fd, "1000", 4) != 4) fail(jail::failed(Step::kOomScore));
  return fd;
}

void withdraw_from_oom_killer(int fd) {
  if (::write(fd, "0", 1) != 1) fail(jail::failed(Step::kOomScore));
  ::close(fd);
}

void seal() {
  int listener = -1;
  check(jail::load_filter(&listener));
  ::close(jail::kFilterFd);
  jail::Report ready;
  ready.kind = jail::ReportKind::kReady;
  ready.at_ns = now(CLOCK_MONOTONIC);
  ready.setup_cpu_ns = now(CLOCK_PROCESS_CPUTIME_ID);
  send_report(ready, listener);
  ::close(listener);
}

}  // namespace

void run_jail() {
  const jail::Plan plan = receive_plan(jail::kControlFd);
  const int oom_score = offer_to_oom_killer();
  build_jail(plan, ImagePath(plan.image).text, "/root");
  seal();

  const int guest = ::fork();
  if (guest < 0) fail(jail::failed(Step::kForkGuest));
  if (guest == 0) become_guest(plan);
  withdraw_from_oom_killer(oom_score);
  check(jail::keep_collecting_capabilities());
  constexpr int kGuestsOwn[] = {jail::kStdinFd, jail::kStdoutFd, jail::kStderrFd, jail::kLaunchFd};
  for (const int fd : kGuestsOwn) ::close(fd);
  supervise({.guest = guest});
}

}  // namespace outrigger::guest

int main(int argc, char** argv) {
  using namespace outrigger;
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  guest::die_with_parent();
  switch (argc > 1 ? argv[1][0] : '\0') {
    case jail::kJailMode[0]: guest::run_jail();
    case jail::kNursedMode[0]: guest::run_nursed();
    case jail::kTemplateMode[0]: guest::run_template();
    default: return 2;
  }
}
