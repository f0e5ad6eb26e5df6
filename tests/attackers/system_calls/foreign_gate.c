// attack: makes a harmless system call by a gate the filter's numbers are not written for, which shows the gate open
// expect: status=security_violation
// case: int80_getpid args="int80" syscall=i386:getpid
// case: int80_execve args="int80_execve" syscall=i386:execve
// case: x32_getpid args="x32" syscall=x32:getpid
// case: x32_execve args="x32_execve" syscall=x32:execve
#include "attack.h"

// i386's execve has the number of x86-64's munmap; x32's execve has one that only x32 knows.
enum { kI386Getpid = 20, kI386Execve = 11, kX32Execve = 520 };

int main(int argc, char **argv) {
  static const char program[] = "/bin/true";
  long result = -1;
  if (argc != 2) return 2;
  if (strcmp(argv[1], "int80") == 0) result = syscall_int80(kI386Getpid, 0, 0, 0, 0);
  if (strcmp(argv[1], "int80_execve") == 0) result = syscall_int80(kI386Execve, (long)program, 0, 0, 0);
  if (strcmp(argv[1], "x32") == 0) result = syscall(SYS_getpid | X32_BIT);
  if (strcmp(argv[1], "x32_execve") == 0) result = syscall(kX32Execve | X32_BIT, program, NULL, NULL);
  tried(argv[1], result);
  return attack_done();
}
