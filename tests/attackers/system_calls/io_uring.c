// attack: sets up io_uring, whose requests reach the kernel beside every filter
// why: runtimes probe it, so ENOSYS is the answer for the first call; there is no ring for the others to act on
// expect: status=completed refusals=2 stdout_only=ENOSYS
#include "attack.h"

int main(void) {
  static unsigned char parameters[256];
  tried("io_uring_setup", syscall(SYS_io_uring_setup, 8, parameters));
  memset(parameters, 0, sizeof parameters);
  tried("io_uring_setup with upper bits", syscall(SYS_io_uring_setup, WITH_UPPER_BITS(8), parameters));
  return attack_done();
}
