// attack: makes a pair of sockets; of the family unix it is allowed, as programs talk to children by it
// expect: status=security_violation syscall=socketpair
// case: unix args="1 native" expect="status=completed stdout=works"
// case: inet args="2 native"
// case: tipc args="30 native"
// case: netlink args="16 native"
// case: inet_upper_bits args="2 upper"
// case: unix_int80 args="1 int80" syscall=i386:socketpair
// case: unix_x32 args="1 x32" syscall=x32:socketpair
#include <sys/socket.h>

#include "attack.h"

enum { kI386Socketpair = 360 };

static int works(const int *pair) {
  char byte = 0;
  return write(pair[0], "x", 1) == 1 && read(pair[1], &byte, 1) == 1 && byte == 'x';
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int family = atoi(argv[1]);
  static int pair[2];
  long result = -1;
  if (strcmp(argv[2], "native") == 0) {
    result = syscall(SYS_socketpair, family, SOCK_STREAM, 0, pair);
  } else if (strcmp(argv[2], "upper") == 0) {
    result = syscall(SYS_socketpair, WITH_UPPER_BITS(family), SOCK_STREAM, 0, pair);
  } else if (strcmp(argv[2], "x32") == 0) {
    result = syscall(SYS_socketpair | X32_BIT, family, SOCK_STREAM, 0, pair);
  } else if (strcmp(argv[2], "int80") == 0) {
    result = syscall_int80(kI386Socketpair, family, SOCK_STREAM, 0, (long)pair);
  }
  if (result == 0 && family == AF_UNIX && strcmp(argv[2], "native") == 0) {
    puts(works(pair) ? "works" : "does not carry a byte");
    return 0;
  }
  tried("socketpair", result);
  return attack_done();
}
