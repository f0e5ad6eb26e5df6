// attack: makes empty files, directories and links until the kernel has no more of them to give
// alone: yes
// expect: status=completed stdout~="refused ENOSPC after [0-9]{2,5} inodes"
// limits: wall_time_ms=10000
// case: tmp args="/tmp/work/flood"
// case: shm args="/dev/shm/flood"
#include <fcntl.h>
#include <sys/stat.h>

#include "attack.h"

enum { kEnough = 200000 };

int main(int argc, char **argv) {
  if (argc != 2 || mkdir(argv[1], 0700) != 0) return 2;
  for (int i = 0; i < kEnough; ++i) {
    char name[64];
    snprintf(name, sizeof name, "%s/%d", argv[1], i);
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
