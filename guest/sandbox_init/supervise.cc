#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "init.h"

namespace outrigger::guest {
namespace {

using Nanos = unsigned long long;
constexpr Nanos kNanosPerMilli = 1'000'000ULL;
constexpr Nanos kNanosPerSecond = 1'000'000'000ULL;

void on_child(int) {}  // only there to interrupt ppoll

// Reaps all that has died, orphans of the guest's among them; true once `guest` was one of it.
bool reap_all(int guest, int* status) {
  bool found = false;
  for (;;) {
    int one = 0;
    const pid_t pid = ::waitpid(-1, &one, WNOHANG);
    if (pid <= 0) return found;
    if (pid == guest) {
      *status = one;
      found = true;
    }
  }
}

void report_exit(int status) {
  jail::Report report;
  report.kind = jail::ReportKind::kExited;
  report.wait_status = status;
  report.at_ns = now(CLOCK_MONOTONIC);
  struct statfs scratch{};
  if (::statfs("/tmp", &scratch) == 0) {
    report.tmp_out_of_space = scratch.f_bfree == 0 ? 1 : 0;
    report.tmp_out_of_inodes = scratch.f_ffree == 0 ? 1 : 0;
  }
  send_report(report);
}

// The wait status of a guest that is the template's child. Its end, or the template's, ends the jail.
[[noreturn]] void end_by_nurse(int nurse) {
  int status = 0;
  if (::recv(nurse, &status, sizeof status, 0) == static_cast<ssize_t>(sizeof status)) report_exit(status);
  ::_exit(0);
}

// True where the daemon is gone or has given the jail up.
bool read_control(Nanos* deadline) {
  jail::Arm arm;
  const ssize_t got = ::recv(jail::kControlFd, &arm, sizeof arm, MSG_DONTWAIT);
  if (got == static_cast<ssize_t>(sizeof arm)) *deadline = now(CLOCK_MONOTONIC) + arm.alarm_ms * kNanosPerMilli;
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

// The time left as ppoll wants it; nothing (forever) while no deadline is set.
const timespec* time_left(Nanos deadline, timespec* storage) {
  if (deadline == 0) return nullptr;
  const Nanos current = now(CLOCK_MONOTONIC);
  const Nanos left = deadline > current ? deadline - current : 0;
  storage->tv_sec = static_cast<time_t>(left / kNanosPerSecond);
  storage->tv_nsec = static_cast<long>(left % kNanosPerSecond);
  return storage;
}

}  // namespace

void supervise(const Watched& watched) {
  // SIGCHLD is let in only while waiting: a death between reaping and waiting is not missed.
  sigset_t child;
  sigset_t none;
  ::sigemptyset(&none);
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
  struct sigaction action{};
  action.sa_handler = on_child;
  ::sigaction(SIGCHLD, &action, nullptr);

  Nanos deadline = 0;
  for (;;) {
    int status = 0;
    if (reap_all(watched.guest, &status)) {
      report_exit(status);
      ::_exit(0);
    }
    if (deadline != 0 && now(CLOCK_MONOTONIC) >= deadline) ::_exit(0);
    pollfd waits[] = {{jail::kControlFd, POLLIN, 0}, {watched.nurse, POLLIN, 0}};  // a negative one is passed over
    timespec storage{};
    const int ready = ::ppoll(waits, 2, time_left(deadline, &storage), &none);
    if (ready <= 0) continue;
    if (waits[1].revents != 0) end_by_nurse(watched.nurse);
    if (waits[0].revents != 0 && read_control(&deadline)) ::_exit(0);
  }
}

}  // namespace outrigger::guest
