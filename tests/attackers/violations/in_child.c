// attack: lets a child, a detached grandchild or a thread make the forbidden call, while the main process sleeps
// why: a violation anywhere ends the whole jail, at once
// expect: status=security_violation syscall=socket exit_code=159 signal=SIGSYS cause=seccomp max_wall_ms=4000
// case: child args="child"
// case: daemonised_grandchild args="grandchild"
// case: thread args="thread"
// case: vforked_child args="vfork"
// case: after_exec args="exec"
#include <pthread.h>
#include <sys/socket.h>

#include "attack.h"

static void forbidden(void) {
  tried("socket", syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
}

static void *forbidden_thread(void *unused) {
  forbidden();
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  pthread_t thread;
  if (strcmp(argv[1], "direct") == 0) {
    forbidden();
    return 0;
  }
  if (strcmp(argv[1], "child") == 0 && fork() == 0) forbidden();
  if (strcmp(argv[1], "grandchild") == 0 && fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    setsid();
    forbidden();
  }
  if (strcmp(argv[1], "thread") == 0 && pthread_create(&thread, NULL, forbidden_thread, NULL) != 0) return 2;
  if (strcmp(argv[1], "vfork") == 0 && vfork() == 0) {
    syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    _exit(0);
  }
  if (strcmp(argv[1], "exec") == 0 && fork() == 0) execl("/proc/self/exe", "a", "direct", NULL);
  sleep(60);
  puts("ESCAPED the main process lives on");
  return 0;
}
