// attack: takes control of another process, and by it of what that one may do
// expect: status=security_violation syscall=ptrace
// case: attach args="attach"
// case: seize args="seize"
// case: traceme args="traceme"
// case: child args="child"
#include <sys/ptrace.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const long parent = getppid();
  long result = -1;
  if (strcmp(argv[1], "attach") == 0) result = syscall(SYS_ptrace, PTRACE_ATTACH, parent, 0, 0);
  if (strcmp(argv[1], "seize") == 0) result = syscall(SYS_ptrace, PTRACE_SEIZE, parent, 0, 0);
  if (strcmp(argv[1], "traceme") == 0) result = syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
  if (strcmp(argv[1], "child") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      pause();
      _exit(0);
    }
    result = syscall(SYS_ptrace, PTRACE_SEIZE, child, 0, 0);
  }
  tried("ptrace", result);
  return attack_done();
}
