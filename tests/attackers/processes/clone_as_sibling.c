// attack: makes children of its own parent, pid 1, which end before it with statuses that are not its own
// expect: status=failed exit_code=7 stdout=done
#include <sched.h>
#include <signal.h>

#include "attack.h"

int main(void) {
  for (int i = 0; i < 10; ++i) {
    const long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
      // Not raise(): libc remembers its caller's id from before this clone, and would kill the main process.
      if (i % 2) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
      _exit(0);
    }
  }
  usleep(100000);
  puts("done");
  return 7;
}
