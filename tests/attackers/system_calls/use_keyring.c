// attack: reads or fills the kernel's keyrings, which belong to no namespace and may be the daemon's own
// expect: status=security_violation
// case: add_key args="add" syscall=add_key
// case: keyctl_get_session args="keyctl" syscall=keyctl
// case: keyctl_upper_bits args="upper" syscall=keyctl
// case: request_key args="request" syscall=request_key
#include "attack.h"

enum { kGetKeyringId = 0, kSessionKeyring = -3, kUserKeyring = -4 };

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  long result = -1;
  if (strcmp(argv[1], "add") == 0) result = syscall(SYS_add_key, "user", "mine", "secret", 6, kUserKeyring);
  if (strcmp(argv[1], "keyctl") == 0) result = syscall(SYS_keyctl, kGetKeyringId, kSessionKeyring, 1);
  if (strcmp(argv[1], "upper") == 0) result = syscall(SYS_keyctl, WITH_UPPER_BITS(kGetKeyringId), kSessionKeyring, 1);
  if (strcmp(argv[1], "request") == 0) result = syscall(SYS_request_key, "user", "mine", NULL, kUserKeyring);
  tried(argv[1], result);
  return attack_done();
}
