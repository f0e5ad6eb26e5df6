// attack: many children, each with a little memory, the main process with none
// alone: yes
// why: the kernel picks whom it kills, maybe the main process last; twenty tasks that reclaim may leave it no CPU
// limits: wall_time_ms=3000
// expect: status=completed event=oom_kill
// expect-or: status=memory_exceeded event=oom_kill
// expect-or: status=timeout event=oom_kill
#include <sys/mman.h>
#include <sys/wait.h>

#include "attack.h"

enum { kChildren = 20, kEach = 12 << 20 };

int main(void) {
  int hold[2];
  if (pipe(hold) != 0) return 2;
  for (int i = 0; i < kChildren; ++i) {
    if (fork() != 0) continue;
    close(hold[1]);
    char *block = mmap(NULL, kEach, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(block, 1, kEach);
    char byte;
    // Keeps its share until one of its siblings was killed or the parent lets go.
    const ssize_t got = read(hold[0], &byte, 1);
    _exit(got == 0 ? 0 : 1);
  }
  int status = 0;
  while (wait(&status) > 0 && !WIFSIGNALED(status)) {
  }
  puts(WIFSIGNALED(status) ? "a child was killed" : "ESCAPED 240 MiB of memory");
  return 0;
}
