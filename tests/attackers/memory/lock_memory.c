// attack: pins more memory than anybody could take back
// expect: status=completed refusals=2
#include <sys/mman.h>

#include "attack.h"

enum { kMuch = 64 << 20 };

int main(void) {
  char *block = mmap(NULL, kMuch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  tried("mlock of 64 MiB", mlock(block, kMuch));
  tried("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
  return attack_done();
}
