// attack: spreads its CPU time over many children, each below the limit of one process
// limits: cpu_time_ms=1000,wall_time_ms=20000
// expect: status=cpu_exceeded exit_code=152 signal=SIGXCPU cause=cpu_time
#include <sys/wait.h>
#include <time.h>

#include "attack.h"

int main(void) {
  for (;;) {
    if (fork() == 0) {
      while (clock() < CLOCKS_PER_SEC / 20) {
      }
      _exit(0);
    }
    wait(NULL);
  }
}
