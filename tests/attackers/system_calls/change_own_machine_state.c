// attack: changes how the kernel treats this process's own memory and segments, the ground many exploits start from
// expect: status=security_violation
// case: no_randomisation args="personality 0x0040000" expect="status=completed refusals=1 stdout_only=ENOSYS"
// case: read_implies_exec args="personality 0x0400000" expect="status=completed refusals=1 stdout_only=ENOSYS"
// case: upper_bits args="personality 0x100040000" expect="status=completed refusals=1 stdout_only=ENOSYS"
// case: modify_ldt args="modify_ldt 1" syscall=modify_ldt
// case: uselib args="uselib 0" syscall=uselib
#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const long value = strtol(argv[2], NULL, 0);
  static unsigned int descriptor[4] = {0, 0, 0xfffff, 0x51};
  long result = -1;
  if (strcmp(argv[1], "personality") == 0) result = syscall(SYS_personality, value);
  if (strcmp(argv[1], "modify_ldt") == 0) result = syscall(SYS_modify_ldt, value, descriptor, sizeof descriptor);
  if (strcmp(argv[1], "uselib") == 0) result = syscall(SYS_uselib, "/bin/true");
  tried(argv[1], result);
  return attack_done();
}
