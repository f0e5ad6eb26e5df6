// attack: makes forbidden calls from many threads and children in the same moment, to swamp who listens
// alone: yes
// expect: status=security_violation syscall=socket exit_code=159 signal=SIGSYS cause=seccomp max_wall_ms=4000
#include <pthread.h>
#include <sys/socket.h>

#include "attack.h"

static void *forbidden(void *unused) {
  usleep(100000);
  for (;;) {
    if (syscall(SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0) puts("ESCAPED socket");
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int child = 0; child < 4; ++child) {
    if (fork() == 0) break;
  }
  for (int i = 0; i < 5; ++i) pthread_create(&thread, NULL, forbidden, NULL);
  sleep(60);
  puts("ESCAPED lives on");
  return 0;
}
