// attack: hides clone's flags in memory, where no filter can read them
// why: clone3 answers ENOSYS as a whole, and libc falls back to clone
// expect: status=completed refusals=2 stdout_only=ENOSYS
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>

#include "attack.h"

static long clone3_with(unsigned long flags) {
  struct clone_args arguments;
  memset(&arguments, 0, sizeof arguments);
  arguments.flags = flags;
  arguments.exit_signal = SIGCHLD;
  const long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) _exit(0);
  return pid;
}

int main(void) {
  tried("clone3 plain", clone3_with(0));
  tried("clone3 with CLONE_NEWUSER", clone3_with(CLONE_NEWUSER));
  return attack_done();
}
