// attack: calls numbers that no kernel has, or only newer ones than the filter: libc must hear ENOSYS to fall back
// expect: status=completed refusals=8 stdout_only=ENOSYS
#include "attack.h"

int main(void) {
  tried("clone3", syscall(SYS_clone3, NULL, 0));
  tried("io_uring_setup", syscall(SYS_io_uring_setup, 8, NULL));
  tried("number 462", syscall(462, 0, 0, 0));
  tried("number 600", syscall(600, 0, 0, 0));
  tried("number 5000", syscall(5000, 0, 0, 0));
  tried("number 1000000", syscall(1000000, 0, 0, 0));
  tried("number -1", syscall(-1, 0, 0, 0));
  tried("number with upper bits", syscall(0x100000000L | 600, 0, 0, 0));
  return attack_done();
}
