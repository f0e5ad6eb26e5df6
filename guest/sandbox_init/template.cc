#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"
#include "jail/template.h"
#include "launch.h"

namespace outrigger::guest {

using jail::Step;

// As root of its own user namespace, which is nobody on the host: a template writes the id maps of its jails and gives
// them their namespaces. Its root is the image, like theirs.
void run_template() {
  const jail::Plan plan = receive_plan(jail::kControlFd);
  check(jail::join_cgroups(jail::kTemplateCgroupFd, plan.cgroup_fds));
  check(jail::become(0));
  die_with_parent();
  const ImagePath image(plan.image);
  check(jail::mount_root(image.text, "/root"));
  check(jail::mount_pristine(image.text));
  check(jail::mount_tmp(plan));
  check(jail::mount_shm(plan));
  check(jail::mount_open_proc());
  check(jail::pivot());
  check(jail::set_host_name());

  Program program{};
  check(read_program(&program));
  ::close(jail::kLaunchFd);
  if (::syscall(SYS_close_range, jail::kTemplateCgroupFd, ~0U, 0) != 0) fail(jail::failed(Step::kCloseDescriptors));
  ::execve(program.argv[0], program.argv, program.envp);
  fail(jail::failed(Step::kStartHost));
}

}  // namespace outrigger::guest
