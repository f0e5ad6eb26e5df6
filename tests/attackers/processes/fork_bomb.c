// attack: doubles itself for ever, in sessions of their own
// alone: yes
// limits: wall_time_ms=1500
// expect: status=timeout event=pids_limit
#include "attack.h"

int main(void) {
  for (;;) {
    if (fork() == 0) setsid();
  }
}
