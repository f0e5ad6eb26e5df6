// attack: leaves behind a process that is no child, in no session of anybody's, deaf to every signal it may be deaf to
// alone: yes
// why: the main process ends at once, and with it the jail; the host-state check looks for what is left
// expect: status=completed stdout=left max_wall_ms=4000
#include <signal.h>

#include "attack.h"

static void hide(void) {
  for (int signal_number = 1; signal_number < 65; ++signal_number) signal(signal_number, SIG_IGN);
  setsid();
  if (fork() != 0) _exit(0);
  setsid();
  close(0);
  close(1);
  close(2);
  for (;;) pause();
}

int main(void) {
  int ready[2];
  if (pipe(ready) != 0) return 2;
  for (int i = 0; i < 5; ++i) {
    if (fork() == 0) hide();
  }
  puts("left");
  return 0;
}
