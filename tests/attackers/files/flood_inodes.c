// attack: makes empty files, directories and links until the kernel has no more of them to give
// alone: yes
// expect: status=completed stdout~="refused ENOSPC after [0-9]{2,5} inodes"
// limits: wall_time_ms=5000
#include <fcntl.h>
#include <sys/stat.h>

#include "attack.h"

enum { kEnough = 200000 };

int main(void) {
  mkdir("/tmp/work/flood", 0700);
  for (int i = 0; i < kEnough; ++i) {
    char name[64];
    snprintf(name, sizeof name, "/tmp/work/flood/%d", i);
    int result;
    switch (i % 3) {
      case 0: result = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600); break;
      case 1: result = mkdir(name, 0700); break;
      default: result = symlink("/etc/passwd", name);
    }
    if (result < 0) {
      printf("refused %s after %d inodes\n", error_name(errno), i);
      return 0;
    }
    if (i % 3 == 0) close(result);
  }
  puts("ESCAPED 200000 inodes");
  return 0;
}
