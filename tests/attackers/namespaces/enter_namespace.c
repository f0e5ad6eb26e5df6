// attack: joins a namespace through a descriptor of it
// expect: status=security_violation syscall=setns
// case: own_user args="user"
// case: own_net args="net"
// case: pidfd args="pidfd"
#include <fcntl.h>
#include <sched.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/ns/%s", argv[1]);
  const int fd = strcmp(argv[1], "pidfd") == 0 ? (int)syscall(SYS_pidfd_open, getppid(), 0) : open(path, O_RDONLY);
  tried("setns", syscall(SYS_setns, fd, strcmp(argv[1], "pidfd") == 0 ? CLONE_NEWNET : 0));
  return attack_done();
}
