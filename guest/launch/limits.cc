#include <sys/resource.h>

#include "launch.h"

namespace outrigger::guest {
namespace {

using jail::Step;
using jail::StepResult;

// A limit is only ever lowered: what this process has no right to raise, it keeps.
StepResult limit(int resource, rlim_t soft, rlim_t hard) {
  rlimit current{};
  if (::getrlimit(resource, &current) != 0) return jail::failed(Step::kResourceLimits);
  const rlimit wanted{soft < current.rlim_max ? soft : current.rlim_max,
                      hard < current.rlim_max ? hard : current.rlim_max};
  if (::setrlimit(resource, &wanted) != 0) return jail::failed(Step::kResourceLimits);
  return jail::done();
}

}  // namespace

StepResult set_resource_limits(unsigned long cpu_seconds) {
  struct Limit {
    int resource;
    rlim_t soft;
    rlim_t hard;
  };
  // Not here: RLIMIT_NPROC counts a uid over the whole host, RLIMIT_AS kills V8 and Go. Tasks and memory are the
  // cgroup's.
  const Limit limits[] = {
      {RLIMIT_CPU, cpu_seconds, cpu_seconds + 1},  // SIGXCPU, and SIGKILL a second later for who ignores it
      {RLIMIT_NOFILE, 1024, 4096},
      {RLIMIT_MEMLOCK, 64 << 10, 64 << 10},
      {RLIMIT_MSGQUEUE, 0, 0},
      {RLIMIT_NICE, 0, 0},
      {RLIMIT_RTPRIO, 0, 0},
  };
  for (const Limit& one : limits) {
    if (const StepResult result = limit(one.resource, one.soft, one.hard); !result.ok()) return result;
  }
  return jail::done();
}

}  // namespace outrigger::guest
