// attack: changes what it sees as its root directory
// expect: status=security_violation
// case: chroot args="chroot" syscall=chroot
// case: pivot_root args="pivot_root" syscall=pivot_root
#include <sys/stat.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  mkdir("/tmp/work/root", 0755);
  const int is_chroot = strcmp(argv[1], "chroot") == 0;
  tried(argv[1], is_chroot ? syscall(SYS_chroot, "/tmp/work/root") : syscall(SYS_pivot_root, ".", "."));
  return attack_done();
}
