#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"

namespace outrigger::guest {
using jail::Step;

jail::Plan receive_plan(int socket) {
  jail::Plan plan;
  const ssize_t got = ::recv(socket, &plan, sizeof plan, 0);
  if (got == 0) ::_exit(0);
  if (got != static_cast<ssize_t>(sizeof plan)) fail(jail::failed(Step::kReceivePlan, got < 0 ? errno : EPROTO));
  return plan;
}

ImagePath::ImagePath(unsigned image) { ::snprintf(text, sizeof text, "/images/%u", image); }

void die_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

namespace {

// The master is the daemon's. The slave stays open here, as long as the jail lives: without anybody at it, between two
// programs of the guest's, the master would have reached its end.
void hand_over_terminal() {
  int master = -1;
  int slave = -1;
  check(jail::open_terminal(&master, &slave));
  jail::Report report;
  report.kind = jail::ReportKind::kTerminal;
  send_report(report, master);
  ::close(master);
}

}  // namespace

void build_jail(const jail::Plan& plan, const char* source, const char* target) {
  check(jail::join_cgroups(jail::kFirstCgroupFd, plan.cgroup_fds));
  check(jail::enter_cgroup_namespace());
  check(jail::become(jail::kInitId));
  die_with_parent();
  check(jail::mount_root(source, target));
  check(jail::mount_tmp(plan));
  if (plan.terminal != 0) check(jail::mount_terminal());
  check(jail::mount_shm(plan));
  check(jail::mount_proc());
  check(jail::mask_proc());
  if (plan.terminal != 0) hand_over_terminal();
  check(jail::pivot());
  check(jail::set_host_name());
  check(jail::drop_bounding_set());
  check(jail::forbid_core_helper());
  check(jail::take_usual_priority());
  check(jail::set_no_new_privs());
}

}  // namespace outrigger::guest
