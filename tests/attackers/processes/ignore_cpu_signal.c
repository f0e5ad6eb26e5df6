// attack: ignores SIGXCPU and burns on past its CPU time
// limits: cpu_time_ms=1000,wall_time_ms=20000
// expect: status=cpu_exceeded exit_code=152 signal=SIGXCPU cause=cpu_time
#include <signal.h>

#include "attack.h"

int main(void) {
  signal(SIGXCPU, SIG_IGN);
  for (volatile unsigned long i = 0;; ++i) {
  }
}
