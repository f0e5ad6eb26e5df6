// attack: opens a socket, the way out to a network, to the host's daemons or into kernel code that is seldom walked
// why: a unix socket is refused by an errno, since libc itself tries one when a program asks for a user's name
// expect: status=security_violation syscall=socket
// case: unix args="1 native" expect="status=completed refusals=1 stdout_only=EAFNOSUPPORT"
// case: inet args="2 native"
// case: inet6 args="10 native"
// case: netlink args="16 native"
// case: packet args="17 native"
// case: bluetooth args="31 native"
// case: alg args="38 native"
// case: vsock args="40 native"
// case: unknown_family args="99 native"
// case: unix_upper_bits args="1 upper" expect="status=completed refusals=1 stdout_only=EAFNOSUPPORT"
// case: inet_upper_bits args="2 upper"
// case: alg_upper_bits args="38 upper"
// case: vsock_upper_bits args="40 upper"
// case: vsock_upper_bits_in_number args="40 number"
// case: unix_int80 args="1 int80" syscall=i386:socket
// case: inet_int80 args="2 int80" syscall=i386:socket
// case: inet_int80_socketcall args="2 socketcall" syscall=i386:socketcall
// case: unix_x32 args="1 x32" syscall=x32:socket
// case: inet_x32 args="2 x32" syscall=x32:socket
#include <sys/socket.h>

#include "attack.h"

enum { kI386Socket = 359, kI386Socketcall = 102, kSocketcallSocket = 1 };

static int type_for(int family) {
  switch (family) {
    case AF_NETLINK:
    case AF_PACKET:
    case 31: return SOCK_RAW;
    case 38: return SOCK_SEQPACKET;
    default: return SOCK_STREAM;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int family = atoi(argv[1]);
  const int type = type_for(family);
  long fd = -1;
  if (strcmp(argv[2], "native") == 0) {
    fd = syscall(SYS_socket, family, type, 0);
  } else if (strcmp(argv[2], "upper") == 0) {
    fd = syscall(SYS_socket, WITH_UPPER_BITS(family), WITH_UPPER_BITS(type), 0);
  } else if (strcmp(argv[2], "number") == 0) {
    fd = syscall(WITH_UPPER_BITS(SYS_socket), family, type, 0);
  } else if (strcmp(argv[2], "int80") == 0) {
    fd = syscall_int80(kI386Socket, family, type, 0, 0);
  } else if (strcmp(argv[2], "socketcall") == 0) {
    // Static, since the 32-bit gate takes 32-bit pointers, and this program is linked low.
    static unsigned int arguments[3];
    arguments[0] = (unsigned int)family;
    arguments[1] = (unsigned int)type;
    fd = syscall_int80(kI386Socketcall, kSocketcallSocket, (long)arguments, 0, 0);
  } else if (strcmp(argv[2], "x32") == 0) {
    fd = syscall(SYS_socket | X32_BIT, family, type, 0);
  } else {
    return 2;
  }
  tried("socket", fd);
  return attack_done();
}
