// attack: takes more of the processor than others by priority, scheduler class or a lifted limit
// expect: status=completed refusals=9
#include <sched.h>
#include <sys/resource.h>

#include "attack.h"

int main(void) {
  struct sched_param top = {.sched_priority = 1};
  struct rlimit limit;
  tried("setpriority", syscall(SYS_setpriority, PRIO_PROCESS, 0, -20));
  tried("SCHED_FIFO", syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &top));
  tried("SCHED_RR", syscall(SYS_sched_setscheduler, 0, SCHED_RR, &top));
  struct {
    unsigned int size, policy;
    unsigned long flags;
    int nice;
    unsigned int priority;
    unsigned long runtime, deadline, period;
  } deadline = {48, 6, 0, 0, 0, 10000000, 20000000, 20000000};
  tried("SCHED_DEADLINE", syscall(SYS_sched_setattr, 0, &deadline, 0));
  const int hard_limits[] = {RLIMIT_CPU, RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_NICE, RLIMIT_RTPRIO};
  for (unsigned i = 0; i < sizeof hard_limits / sizeof *hard_limits; ++i) {
    getrlimit(hard_limits[i], &limit);
    limit.rlim_max = RLIM_INFINITY;
    char act[32];
    snprintf(act, sizeof act, "raise rlimit %d", hard_limits[i]);
    tried(act, setrlimit(hard_limits[i], &limit));
  }
  return attack_done();
}
