#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/steps/steps.h"

namespace outrigger::jail {
namespace {

constexpr unsigned kBitsPerWord = 32;

bool set_capabilities(const __user_cap_data_struct* words) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  return ::syscall(SYS_capset, &header, words) == 0;
}

StepResult keep(unsigned capabilities) {
  static_assert(CAP_KILL < kBitsPerWord && CAP_DAC_READ_SEARCH < kBitsPerWord);
  __user_cap_data_struct kept[_LINUX_CAPABILITY_U32S_3]{};
  kept[0].permitted = kept[0].effective = capabilities;
  if (!set_capabilities(kept)) return failed(Step::kKeepCapabilities);
  return done();
}

}  // namespace

StepResult set_host_name() {
  if (::sethostname(kHostName, sizeof kHostName - 1) != 0) return failed(Step::kHostName);
  return done();
}

StepResult drop_bounding_set() {
  // Asking for one past the last capability answers EINVAL: the list ends where this kernel's does.
  for (unsigned long capability = 0;; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    if (errno == EINVAL && capability > 0) return done();
    return failed(Step::kDropBounding);
  }
}

StepResult set_no_new_privs() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed(Step::kNoNewPrivs);
  return done();
}

StepResult forbid_core_helper() {
  const rlimit one{1, 1};
  if (::setrlimit(RLIMIT_CORE, &one) != 0) return failed(Step::kResourceLimits);
  return done();
}

StepResult take_usual_priority() {
  if (::getpriority(PRIO_PROCESS, 0) < 0 && ::setpriority(PRIO_PROCESS, 0, 0) != 0) {
    return failed(Step::kResourceLimits);
  }
  const int policy = ::sched_getscheduler(0);
  const bool ahead_of_all = policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
  const sched_param usual{};
  if (ahead_of_all && ::sched_setscheduler(0, SCHED_OTHER, &usual) != 0) return failed(Step::kResourceLimits);
  return done();
}

StepResult drop_capabilities() {
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  // The ambient set can never hold what permitted and inheritable do not.
  if (!set_capabilities(none)) return failed(Step::kDropCapabilities);
  return done();
}

StepResult keep_collecting_capabilities() { return keep(1U << CAP_KILL | 1U << CAP_DAC_READ_SEARCH); }

StepResult keep_signalling_capability() { return keep(1U << CAP_KILL); }

}  // namespace outrigger::jail
