// attack: rewrites an argument between the filter's look and the kernel's own, as can be done to what is pointed to
// why: what the filter judges lies in registers, so one thread's rewriting must never let another's socket through
// expect: status=security_violation
#include <pthread.h>
#include <sys/socket.h>

#include "attack.h"

static volatile long family = 1;

static void *flip(void *unused) {
  for (;;) {
    family = AF_INET;
    family = AF_UNIX;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, flip, NULL) != 0) return 2;
  for (long i = 0; i < 2000000; ++i) {
    if (syscall(SYS_socket, family, SOCK_STREAM, 0) >= 0) puts("ESCAPED socket");
  }
  puts("ESCAPED never judged");
  return 0;
}
