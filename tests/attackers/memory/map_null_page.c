// attack: puts memory of its own where a null pointer of the kernel's would lead
// expect: status=completed refusals=1
#include <sys/mman.h>

#include "attack.h"

int main(void) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  tried("map page 0", (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0));
  return attack_done();
}
