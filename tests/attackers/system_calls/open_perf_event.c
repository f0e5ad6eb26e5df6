// attack: counts events of the processor, a view of what others compute and a much-broken subsystem
// expect: status=security_violation syscall=perf_event_open
#include <linux/perf_event.h>

#include "attack.h"

int main(void) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.type = PERF_TYPE_SOFTWARE;
  attr.size = sizeof attr;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.exclude_kernel = 1;
  tried("perf_event_open", syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
  return attack_done();
}
