// attack: reads or writes the memory of pid 1, which comes from outside the jail
// expect: status=security_violation
// case: process_vm_readv args="readv" syscall=process_vm_readv
// case: process_vm_writev args="writev" syscall=process_vm_writev
// case: process_madvise args="madvise" syscall=process_madvise
// case: kcmp args="kcmp" syscall=kcmp
// case: pidfd_getfd args="getfd" syscall=pidfd_getfd
#include <sys/uio.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  static char buffer[64];
  struct iovec local = {buffer, sizeof buffer};
  struct iovec remote = {(void *)0x400000, sizeof buffer};
  long result = -1;
  if (strcmp(argv[1], "readv") == 0) result = syscall(SYS_process_vm_readv, 1, &local, 1, &remote, 1, 0);
  if (strcmp(argv[1], "writev") == 0) result = syscall(SYS_process_vm_writev, 1, &local, 1, &remote, 1, 0);
  if (strcmp(argv[1], "madvise") == 0) result = syscall(SYS_process_madvise, 0, &remote, 1, 4, 0);
  if (strcmp(argv[1], "kcmp") == 0) result = syscall(SYS_kcmp, 1, getpid(), 0, 0, 0);
  if (strcmp(argv[1], "getfd") == 0) {
    const long pidfd = syscall(SYS_pidfd_open, 1, 0);
    result = syscall(SYS_pidfd_getfd, pidfd < 0 ? 0 : pidfd, 0, 0);
  }
  tried(argv[1], result);
  return attack_done();
}
