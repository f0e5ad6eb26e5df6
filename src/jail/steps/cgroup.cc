#include <sched.h>
#include <unistd.h>

#include "jail/steps/steps.h"

#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif

namespace outrigger::jail {

StepResult join_cgroups(int first, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const int fd = first + static_cast<int>(i);
    if (::write(fd, "0", 1) != 1) return failed(Step::kJoinCgroup);
    ::close(fd);
  }
  return done();
}

StepResult enter_cgroup_namespace() {
  if (::unshare(CLONE_NEWCGROUP) != 0) return failed(Step::kCgroupNamespace);
  return done();
}

}  // namespace outrigger::jail
