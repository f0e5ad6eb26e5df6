// attack: takes memory that belongs to no process: shared mappings, files in memory that nobody names
// expect: status=memory_exceeded exit_code=137 signal=SIGKILL cause=memory_ceiling event=oom_kill
// case: shared_mapping args="mapping"
// case: memfd args="memfd"
#include <sys/mman.h>

#include "attack.h"

enum { kStep = 1 << 20, kEnough = 1024 };

static void fill_memfd(void) {
  static char block[kStep];
  memset(block, 1, sizeof block);
  const int fd = memfd_create("hog", 0);
  for (int i = 0; i < kEnough; ++i) {
    if (write(fd, block, sizeof block) < 0) return;
  }
}

static void fill_mapping(void) {
  char *area = mmap(NULL, (size_t)kStep * kEnough, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) return;
  for (int i = 0; i < kEnough; ++i) memset(area + (size_t)i * kStep, 1, kStep);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  if (strcmp(argv[1], "memfd") == 0) fill_memfd();
  else fill_mapping();
  puts("ESCAPED 1 GiB of memory");
  return 0;
}
