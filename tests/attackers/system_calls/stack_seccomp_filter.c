// attack: adds a filter of its own, or the strict mode, to change what the jail's filter does with a forbidden call
// why: neither can be loaded; what follows is the jail's own answer
// expect: status=security_violation syscall=socket stdout_only=refused
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "attack.h"

int main(void) {
  struct sock_filter answer_errno[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
  struct sock_fprog program = {1, answer_errno};
  tried("seccomp filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
  tried("seccomp listener", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
  tried("prctl filter", syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
  tried("prctl strict", syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0));
  tried("prctl upper bits", syscall(SYS_prctl, WITH_UPPER_BITS(PR_SET_SECCOMP), SECCOMP_MODE_FILTER, &program));
  tried("socket", syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
  return attack_done();
}
