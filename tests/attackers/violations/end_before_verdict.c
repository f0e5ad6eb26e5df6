// attack: makes the forbidden call in a thread and ends the process in the same moment, to be gone before it is judged
// why: whichever the kernel sees first; but a call that was made is never without its event, and never succeeds
// expect: status=completed
// expect-or: status=security_violation syscall=socket
#include <pthread.h>
#include <sys/socket.h>

#include "attack.h"

static void *forbidden(void *unused) {
  if (syscall(SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0) puts("ESCAPED socket");
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, forbidden, NULL) != 0) return 2;
  _exit(0);
}
