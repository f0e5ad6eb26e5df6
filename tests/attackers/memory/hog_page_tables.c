// attack: touches one page in each two megabytes, so that the tables of pages cost as much as the pages
// expect: status=memory_exceeded exit_code=137 signal=SIGKILL cause=memory_ceiling event=oom_kill
#include <sys/mman.h>

#include "attack.h"

int main(void) {
  const size_t stride = 2UL << 20, count = 60000;
  char *area = mmap(NULL, stride * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area == MAP_FAILED) return 2;
  // Small pages only: a huge one would come at the first touch and hide the tables.
  madvise(area, stride * count, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < count; ++i) area[i * stride] = 1;
  puts("ESCAPED 234 MiB of pages and as much of tables");
  return 0;
}
