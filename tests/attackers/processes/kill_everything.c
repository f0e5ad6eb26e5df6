// attack: sends SIGKILL and SIGSTOP to all it can name: everybody, its group, its parent, pid 1, every pid up to 5000
// alone: yes
// expect: status=completed stdout=alive
#include <signal.h>

#include "attack.h"

int main(void) {
  const int signals[] = {SIGSTOP, SIGKILL};
  for (int i = 0; i < 2; ++i) {
    if (kill(-1, signals[i]) == 0) puts("ESCAPED kill -1 found somebody else");
    if (kill(1, signals[i]) == 0) puts("ESCAPED kill 1");
    if (kill(getppid(), signals[i]) == 0) puts("ESCAPED kill of the parent");
    if (kill(-1, 0) == 0) puts("ESCAPED somebody else may be signalled");
    for (int pid = 1; pid <= 5000; ++pid) {
      if (pid != getpid() && kill(pid, signals[i]) == 0) printf("ESCAPED kill %d\n", pid);
      if (pid != getpgrp() && kill(-pid, signals[i]) == 0) printf("ESCAPED kill of group %d\n", pid);
    }
    const long pidfd = syscall(SYS_pidfd_open, 1, 0);
    if (pidfd >= 0 && syscall(SYS_pidfd_send_signal, pidfd, signals[i], NULL, 0) == 0) puts("ESCAPED kill by pidfd");
  }
  puts("alive");
  return 0;
}
