// attack: sets the clock, which all of the machine shares
// expect: status=security_violation
// case: clock_settime args="clock_settime" syscall=clock_settime
// case: settimeofday args="settimeofday" syscall=settimeofday
// case: adjtimex args="adjtimex" syscall=adjtimex
// case: clock_adjtime args="clock_adjtime" syscall=clock_adjtime
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

#include "attack.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct timeval hour_ago = {now.tv_sec - 3600, 0};
  now.tv_sec -= 3600;
  struct timex slew;
  memset(&slew, 0, sizeof slew);
  slew.modes = ADJ_FREQUENCY;
  slew.freq = 100L << 16;
  long result = -1;
  if (strcmp(argv[1], "clock_settime") == 0) result = syscall(SYS_clock_settime, CLOCK_REALTIME, &now);
  if (strcmp(argv[1], "settimeofday") == 0) result = syscall(SYS_settimeofday, &hour_ago, NULL);
  if (strcmp(argv[1], "adjtimex") == 0) result = syscall(SYS_adjtimex, &slew);
  if (strcmp(argv[1], "clock_adjtime") == 0) result = syscall(SYS_clock_adjtime, CLOCK_REALTIME, &slew);
  tried(argv[1], result);
  return attack_done();
}
