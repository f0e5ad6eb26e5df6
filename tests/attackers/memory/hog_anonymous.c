// attack: takes and touches anonymous memory without end
// alone: yes
// expect: status=memory_exceeded exit_code=137 signal=SIGKILL cause=memory_ceiling event=oom_kill peak_near_limit=yes
#include <sys/mman.h>

#include "attack.h"

enum { kStep = 1 << 20, kEnough = 2048 };

int main(void) {
  for (int i = 0; i < kEnough; ++i) {
    char *block = mmap(NULL, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) continue;
    memset(block, 1, kStep);
  }
  puts("ESCAPED 2 GiB of memory");
  return 0;
}
