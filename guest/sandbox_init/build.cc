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

void build_jail(const jail::Plan& plan, const char* source, const char* target) {
  check(jail::join_cgroups(jail::kFirstCgroupFd, plan.cgroup_fds));
  check(jail::enter_cgroup_namespace());
  check(jail::become(jail::kInitId));
  die_with_parent();
  check(jail::mount_root(source, target));
  check(jail::mount_tmp(plan));
  check(jail::mount_shm(plan));
  check(jail::mount_proc());
  check(jail::mask_proc());
  check(jail::pivot());
  check(jail::set_host_name());
  check(jail::drop_bounding_set());
  check(jail::forbid_core_helper());
  check(jail::set_no_new_privs());
}

}  // namespace outrigger::guest
