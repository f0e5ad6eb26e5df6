#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "init.h"
#include "jail/steps/steps.h"

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

// What the daemon has ordered so far.
struct Ordered {
  Nanos deadline = 0;  // none yet
  bool collects = false;
  bool ends = false;  // the guest's time is over
  bool lost = false;  // the daemon is gone or has given the jail up
};

void read_order(Ordered* ordered) {
  jail::Order order;
  const ssize_t got = ::recv(jail::kControlFd, &order, sizeof order, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got != static_cast<ssize_t>(sizeof order)) {
    ordered->lost = true;
  } else if (order.kind == jail::OrderKind::kArm) {
    ordered->deadline = now(CLOCK_MONOTONIC) + order.alarm_ms * kNanosPerMilli;
    ordered->collects = order.collects != 0;
    if (!ordered->collects) check(order.signals != 0 ? jail::keep_signalling_capability() : jail::drop_capabilities());
  } else if (order.kind == jail::OrderKind::kSignal) {
    ::kill(order.group != 0 ? -jail::kGuestPid : jail::kGuestPid, order.signal);
  } else {
    ordered->ends = true;
  }
}

// The guest's main process has ended: with it the jail, at once or when its files were told.
[[noreturn]] void end(const Watched& watched, Ordered ordered, int status) {
  report_exit(status);
  if (ordered.deadline == 0) read_order(&ordered);  // a program may be quicker than this process
  if (ordered.collects && !ordered.lost) collect(watched, true);
  ::_exit(0);
}

// The wait status of a guest that is the template's child. Its end, or the template's, ends the jail.
[[noreturn]] void end_by_nurse(const Watched& watched, const Ordered& ordered) {
  int status = 0;
  if (::recv(watched.nurse, &status, sizeof status, 0) == static_cast<ssize_t>(sizeof status)) {
    end(watched, ordered, status);
  }
  ::_exit(0);
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

  Ordered ordered;
  for (;;) {
    int status = 0;
    if (reap_all(watched.guest, &status)) end(watched, ordered, status);
    if (ordered.deadline != 0 && now(CLOCK_MONOTONIC) >= ordered.deadline) ::_exit(0);
    pollfd waits[] = {{jail::kControlFd, POLLIN, 0}, {watched.nurse, POLLIN, 0}};  // a negative one is passed over
    timespec storage{};
    const int ready = ::ppoll(waits, 2, time_left(ordered.deadline, &storage), &none);
    if (ready <= 0) continue;
    if (waits[1].revents != 0) end_by_nurse(watched, ordered);
    if (waits[0].revents != 0) read_order(&ordered);
    if (ordered.lost) ::_exit(0);
    if (ordered.ends) collect(watched, false);
  }
}

}  // namespace outrigger::guest
