// attack: handles, ignores or blocks SIGSYS (and whatever else may come) to live on after a forbidden call
// expect: status=security_violation syscall=socket exit_code=159 signal=SIGSYS cause=seccomp max_wall_ms=4000
// case: handler args="handler"
// case: ignored args="ignored"
// case: blocked args="blocked"
// case: interrupted args="interrupted"
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include "attack.h"

static void handle(int signal_number) { (void)signal_number; }

static void *pester(void *main_thread) {
  for (;;) pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  sigset_t all;
  sigfillset(&all);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = strcmp(argv[1], "ignored") == 0 ? SIG_IGN : handle;
  for (int number = 1; number < 65; ++number) sigaction(number, &action, NULL);
  if (strcmp(argv[1], "blocked") == 0) sigprocmask(SIG_SETMASK, &all, NULL);
  static pthread_t self;
  self = pthread_self();
  pthread_t thread;
  // A signal takes a caller out of the kernel's wait for the listener before anybody looked: the call fails, unjudged.
  if (strcmp(argv[1], "interrupted") == 0 && pthread_create(&thread, NULL, pester, &self) != 0) return 2;
  for (;;) {
    const long fd = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 || errno != EINTR) tried("socket", fd);
  }
}
