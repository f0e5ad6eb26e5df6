// attack: keeps memory of the kernel's busy: full pipes and socket pairs
// why: what is charged ends at the ceiling; what is not, at the count of descriptors or the quota of pipes
// expect: status=completed stdout~="refused E(MFILE|NFILE|NOMEM|NOBUFS)"
// expect-or: status=memory_exceeded event=oom_kill
#include <fcntl.h>
#include <sys/socket.h>

#include "attack.h"

enum { kEnough = 20000 };

static void fill(int fd) {
  static char block[65536];
  fcntl(fd, F_SETFL, O_NONBLOCK);
  while (write(fd, block, sizeof block) > 0) {
  }
}

int main(void) {
  for (int i = 0; i < kEnough; ++i) {
    int pair[2];
    if (pipe(pair) != 0) {
      printf("refused %s\n", error_name(errno));
      return 0;
    }
    fcntl(pair[1], F_SETPIPE_SZ, 1 << 20);
    fill(pair[1]);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
      printf("refused %s\n", error_name(errno));
      return 0;
    }
    fill(pair[1]);
  }
  puts("ESCAPED 20000 full pipes");
  return 0;
}
