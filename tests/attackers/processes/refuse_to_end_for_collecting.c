// attack: fills its jail with processes that ignore every signal, fork for ever, and hold the files that are collected
// collect: good
// expect: status=timeout cause=wall_clock exit_code=137 signal=SIGKILL files=good:fine max_wall_ms=1500
// limits: wall_time_ms=600,pids=24
#include "../lib/attack.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void hold_on(void) {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  for (;;) {
    fork();
    setsid();
  }
}

int main(void) {
  const int good = open("good", O_CREAT | O_RDWR, 0600);
  if (write(good, "fine", 4) != 4) return 1;
  hold_on();
}
