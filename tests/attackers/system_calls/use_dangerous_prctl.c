// attack: asks prctl for what loosens its own bonds
// expect: status=completed refusals=8
#include <linux/capability.h>
#include <sys/prctl.h>

#include "attack.h"

enum { kSyscallUserDispatch = 59, kSchedCore = 62, kSetMm = 35, kMmStartBrk = 6, kSetPtracer = 0x59616d61 };

int main(void) {
  tried("ambient capability", syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0));
  tried("keep capabilities", syscall(SYS_prctl, PR_SET_SECUREBITS, 0x10));
  tried("drop no_new_privs", syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
  tried("system call dispatch", syscall(SYS_prctl, kSyscallUserDispatch, 1, 0, 0, 0));
  tried("memory map fields", syscall(SYS_prctl, kSetMm, kMmStartBrk, 0x10000, 0, 0));
  tried("ptracer", syscall(SYS_prctl, kSetPtracer, -1, 0, 0, 0));
  tried("core scheduling", syscall(SYS_prctl, kSchedCore, 1, 0, 1, 0));
  escaped_if(syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "no_new_privs is on");
  return attack_done();
}
