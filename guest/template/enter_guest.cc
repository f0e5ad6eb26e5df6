#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fork_server.h"
#include "jail/steps/steps.h"
#include "report.h"

// What a forked guest does before it may see a byte of a caller's. The process is a copy of the template, with all its
// rights: they go here, one after another, and what is reported is only ever a finished jail.
namespace outrigger::guest {
namespace {

using jail::Step;
using jail::StepResult;

// The template's /proc is still the one in sight.
StepResult offer_to_oom_killer() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  const bool written = fd >= 0 && ::write(fd, "1000", 4) == 4;
  return written ? jail::done() : jail::failed(Step::kOomScore);
}

StepResult join_groups(std::span<const base::UniqueFd> task_files) {
  for (const base::UniqueFd& tasks : task_files) {
    if (::write(tasks.get(), "0", 1) != 1) return jail::failed(Step::kJoinCgroup);
  }
  return jail::done();
}

// As jail/plan.h numbers them. All that was received lies above these.
StepResult place_descriptors(std::span<const base::UniqueFd> fds) {
  for (std::size_t i = 0; i < jail::kRequestGroupFds; ++i) {
    if (::dup2(fds[i].get(), static_cast<int>(i)) < 0) return jail::failed(Step::kCloseDescriptors);
  }
  return jail::done();
}

// All at once: the user namespace first, in which this process, as a child of the one who made it, has every right.
StepResult enter(int init_pidfd) {
  constexpr int kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  return ::setns(init_pidfd, kNamespaces) == 0 ? jail::done() : jail::failed(Step::kEnterJail);
}

void settle_process() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // Its /proc belongs to itself, as after an exec; a change of ids had taken that away.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  ::setsid();
  ::umask(022);
}

}  // namespace

void ForkServer::enter_guest(const Jail& jail, std::uint64_t init_cpu_ns) {
  init_cpu_ns_ = init_cpu_ns;
  has_time_ = jail.warm_up;
  const std::span groups = std::span(jail.fds).subspan(jail.cgroup_v2 ? jail.fds.size() : jail::kRequestGroupFds);
  check(place_descriptors(jail.fds));
  check(offer_to_oom_killer());
  check(join_groups(groups));
  check(enter(jail.init_pidfd.get()));
  check(jail::become(jail::kGuestId));
  settle_process();
  check(jail::forbid_core_helper());
  check(jail::drop_bounding_set());
  check(jail::set_no_new_privs());
  check(jail::drop_capabilities());
  check(jail::load_filter(&listener_));
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // Between them and the listener: nothing of the template's stays open.
  constexpr int kKept = jail::kLaunchFd + 1;
  if (listener_ != kKept) {
    if (::dup2(listener_, kKept) < 0) fail(jail::failed(Step::kCloseDescriptors));
    listener_ = kKept;
  }
  if (::syscall(SYS_close_range, kKept + 1, ~0U, 0) != 0) fail(jail::failed(Step::kCloseDescriptors));
}

void ForkServer::announce() {
  jail::Report ready;
  ready.kind = jail::ReportKind::kReady;
  ready.at_ns = now(CLOCK_MONOTONIC);
  ready.setup_cpu_ns = now(CLOCK_PROCESS_CPUTIME_ID) + init_cpu_ns_;
  send_report(ready, listener_);
  ::close(listener_);
}

}  // namespace outrigger::guest
