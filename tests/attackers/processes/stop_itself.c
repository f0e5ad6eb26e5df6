// attack: stops instead of ending, which wakes whoever waits for an end
// limits: wall_time_ms=1500
// expect: status=timeout exit_code=137 signal=SIGKILL cause=wall_clock
#include <signal.h>

#include "attack.h"

int main(void) {
  raise(SIGSTOP);
  puts("woken");
  return 0;
}
