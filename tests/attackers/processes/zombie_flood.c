// attack: leaves its children unreaped until no task is to be had, then orphans them all
// alone: yes
// expect: status=completed event=pids_limit stdout~="refused EAGAIN after ([1-9]|[12][0-9]|3[0-1]) zombies"
#include "attack.h"

int main(void) {
  int count = 0;
  for (; count < 1000; ++count) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) break;
  }
  if (count == 1000) puts("ESCAPED 1000 zombies");
  else printf("refused %s after %d zombies\n", error_name(errno), count);
  return 0;
}
