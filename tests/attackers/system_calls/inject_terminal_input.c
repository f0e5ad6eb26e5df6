// attack: types into the terminal of whoever started the sandbox, or into its own for its client to be taken at his word
// expect: status=security_violation syscall=ioctl
// case: tiocsti args="0x5412"
// case: tioclinux args="0x541C"
// case: tiocsti_upper_bits args="0x100005412"
// case: tioclinux_upper_bits args="0x10000541C"
// case: own_tiocsti args="0x5412" terminal=yes
// case: own_tioclinux args="0x541C" terminal=yes
// case: own_tiocsti_upper_bits args="0x100005412" terminal=yes
#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const long request = strtol(argv[1], NULL, 0);
  static char input[] = "\x0bx";
  tried("ioctl", syscall(SYS_ioctl, STDIN_FILENO, request, input));
  return attack_done();
}
