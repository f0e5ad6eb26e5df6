// attack: makes itself root of a new namespace, where much kernel code waits that only root was ever meant to reach
// expect: status=security_violation syscall=unshare
// case: user args="0x10000000"
// case: mount args="0x00020000"
// case: pid args="0x20000000"
// case: net args="0x40000000"
// case: ipc args="0x08000000"
// case: uts args="0x04000000"
// case: cgroup args="0x02000000"
// case: time args="0x00000080"
// case: all args="0x7e020000"
// case: user_upper_bits args="0x110000000"
#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  tried("unshare", syscall(SYS_unshare, strtol(argv[1], NULL, 0)));
  return attack_done();
}
