// attack: dies as violently as can be, for a core dump in somebody's directory or a crash helper run as the host's root
// why: core_pattern's helper runs outside of every jail, and only a core limit of 1 stops the kernel from starting it
// expect: status=signaled
// alone: yes
// case: segfault args="11 keep" exit_code=139 signal=SIGSEGV
// case: segfault_after_lowering_the_core_limit args="11 zero" exit_code=139 signal=SIGSEGV
// case: segfault_after_raising_the_core_limit args="11 most" exit_code=139 signal=SIGSEGV
// case: abort args="6 most" exit_code=134 signal=SIGABRT
// case: bus_error args="7 most" exit_code=135 signal=SIGBUS
// case: quit args="3 most" exit_code=131 signal=SIGQUIT
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  struct rlimit core;
  getrlimit(RLIMIT_CORE, &core);
  if (strcmp(argv[2], "zero") == 0) core.rlim_cur = 0;
  if (strcmp(argv[2], "most") == 0) core.rlim_cur = core.rlim_max;
  setrlimit(RLIMIT_CORE, &core);
  prctl(PR_SET_DUMPABLE, 1);
  raise(atoi(argv[1]));
  puts("ESCAPED lives on");
  return 0;
}
