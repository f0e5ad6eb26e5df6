// attack: holds the kernel in the middle of a copy for as long as one likes, the usual help of an exploit
// expect: status=security_violation syscall=userfaultfd
#include <fcntl.h>

#include "attack.h"

enum { kUserModeOnly = 1 };

int main(void) {
  tried("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly));
  return attack_done();
}
