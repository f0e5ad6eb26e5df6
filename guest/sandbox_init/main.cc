// Theory of operation
//
// The jailer clones this program into six new namespaces (user, pid, mount, net, ipc, uts) with the descriptors of
// jail/plan.h and the few capabilities over those namespaces that the steps below need. It writes the id maps and sends
// the plan. Then, in this order, each step failing closed:
//   - into the job's control groups, and a cgroup namespace of its own;
//   - to an id of the jail's own: from here on no id of the host's is involved;
//   - a root of the image, a private /tmp, /dev/shm and /proc, pivot_root, the old root let go;
//   - the bounding set emptied, no_new_privs, the seccomp filter; its listener goes to the daemon with the report
//   "ready";
//   - fork: the child drops to the guest's id and waits for a program (guest.cc); this process drops to nothing and
//     supervises (supervise.cc).
// Everything after the filter runs under it, this process included. Memory of the jail never holds anything of the
// daemon's: this program was exec'd, and all it was told is a plan of five numbers.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"

namespace outrigger::guest {
namespace {

using jail::Step;
using jail::StepResult;

void check(const StepResult& result) {
  if (!result.ok()) fail(result);
}

jail::Plan receive_plan() {
  jail::Plan plan;
  const ssize_t got = ::recv(jail::kControlFd, &plan, sizeof plan, 0);
  if (got == 0) ::_exit(0);  // the jailer gave up before it asked for anything
  if (got != static_cast<ssize_t>(sizeof plan)) fail(jail::failed(Step::kReceivePlan, got < 0 ? errno : EPROTO));
  return plan;
}

// Cleared by each change of ids, so it is set again after them (prctl(2)).
void die_with_jailer() { ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

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

// One byte, not none: where the host pipes core dumps to a helper that it runs as its root, limit 0 does not stop it
// and 1 does (fs/coredump.c). Set before the filter, which keeps the guest from changing it.
StepResult forbid_core_helper() {
  const rlimit one{1, 1};
  return ::setrlimit(RLIMIT_CORE, &one) == 0 ? jail::done() : jail::failed(Step::kResourceLimits);
}

void build(const jail::Plan& plan) {
  check(jail::join_cgroups(plan.cgroup_fds));
  check(jail::enter_cgroup_namespace());
  check(jail::become(jail::kInitId));
  die_with_jailer();
  check(jail::mount_root(plan.image));
  check(jail::mount_tmp(plan));
  check(jail::mount_shm(plan));
  check(jail::mount_proc());
  check(jail::mask_proc());
  check(jail::pivot());
  check(jail::set_host_name());
  check(jail::drop_bounding_set());
  check(forbid_core_helper());
  check(jail::set_no_new_privs());
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

[[noreturn]] void run() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  die_with_jailer();

  const jail::Plan plan = receive_plan();
  const int oom_score = offer_to_oom_killer();
  build(plan);
  seal();

  const int guest = ::fork();
  if (guest < 0) fail(jail::failed(Step::kForkGuest));
  if (guest == 0) become_guest();
  withdraw_from_oom_killer(oom_score);
  check(jail::drop_capabilities());
  constexpr int kGuestsOwn[] = {jail::kStdinFd, jail::kStdoutFd, jail::kStderrFd, jail::kLaunchFd};
  for (const int fd : kGuestsOwn) ::close(fd);
  supervise(guest);
}

}  // namespace
}  // namespace outrigger::guest

int main() { outrigger::guest::run(); }
