// attack: is always another process: each forks its heir and ends, faster than a list of pids is read and killed
// alone: yes
// expect: status=completed stdout=running max_wall_ms=4000
#include "attack.h"

int main(void) {
  for (int chain = 0; chain < 8; ++chain) {
    if (fork() == 0) {
      setsid();
      for (;;) {
        if (fork() > 0) _exit(0);
      }
    }
  }
  puts("running");
  fflush(stdout);
  usleep(200000);
  return 0;
}
