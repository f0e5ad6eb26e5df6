// attack: starts threads by raw clone, each of which starts more
// alone: yes
// limits: wall_time_ms=1500
// expect: status=timeout event=pids_limit
#include <pthread.h>

#include "attack.h"

static void *multiply(void *unused) {
  for (;;) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    if (pthread_create(&thread, &small, multiply, unused) != 0) usleep(1000);
  }
  return NULL;
}

int main(void) {
  multiply(NULL);
  return 0;
}
