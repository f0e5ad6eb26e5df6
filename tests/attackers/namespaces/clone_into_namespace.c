// attack: makes a child in new namespaces by clone's flags
// expect: status=security_violation syscall=clone
// case: user args="0x10000000"
// case: mount args="0x00020000"
// case: pid args="0x20000000"
// case: net args="0x40000000"
// case: ipc args="0x08000000"
// case: uts args="0x04000000"
// case: cgroup args="0x02000000"
// case: user_and_net args="0x50000000"
// case: user_upper_bits args="0x110000000"
#include <signal.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const long pid = syscall(SYS_clone, strtol(argv[1], NULL, 0) | SIGCHLD, NULL, NULL, NULL, NULL);
  if (pid == 0) _exit(0);
  tried("clone", pid);
  return attack_done();
}
