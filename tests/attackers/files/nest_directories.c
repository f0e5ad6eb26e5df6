// attack: nests directories deeper than any path can name, which has broken many who cleaned up after a guest
// alone: yes
// expect: status=completed stdout~="nested [0-9]+"
#include <sys/stat.h>

#include "attack.h"

int main(void) {
  int depth = 0;
  if (chdir("/tmp/work") != 0) return 2;
  while (depth < 4000 && mkdir("0123456789abcdef0123456789abcdef", 0700) == 0) {
    if (chdir("0123456789abcdef0123456789abcdef") != 0) return 2;
    ++depth;
  }
  chmod("..", 0);
  chmod(".", 0);
  printf("nested %d\n", depth);
  return 0;
}
