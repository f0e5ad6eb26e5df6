#include <sys/syscall.h>
#include <unistd.h>

#include "jail/steps/steps.h"

namespace outrigger::jail {

// Raw system calls: libc's wrappers signal every thread of the process to do the same, and there is but one here.
StepResult become(unsigned id) {
  if (::syscall(SYS_setgroups, 0, nullptr) != 0) return failed(Step::kSetIds);
  if (::syscall(SYS_setresgid, id, id, id) != 0) return failed(Step::kSetIds);
  if (::syscall(SYS_setresuid, id, id, id) != 0) return failed(Step::kSetIds);
  return done();
}

}  // namespace outrigger::jail
