#include "report.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

namespace outrigger::guest {

unsigned long long now(int clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<unsigned long long>(time.tv_sec) * 1'000'000'000ULL +
         static_cast<unsigned long long>(time.tv_nsec);
}

void send_report(const jail::Report& report, int descriptor) { send_message(&report, sizeof report, descriptor); }

void send_message(const void* message, unsigned long size, int descriptor) {
  iovec part{const_cast<void*>(message), size};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  if (descriptor >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof descriptor);
    ::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  }
  if (::sendmsg(jail::kControlFd, &header, MSG_NOSIGNAL) < 0) ::_exit(1);
}

void fail(const jail::StepResult& result) {
  jail::Report report;
  report.kind = jail::ReportKind::kFailed;
  report.step = result.step;
  report.errno_value = result.errno_value;
  send_report(report);
  ::_exit(1);
}

}  // namespace outrigger::guest
