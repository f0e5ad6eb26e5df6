#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "init.h"

// The end of a jail whose files are collected. Nobody looks at a file before nothing lives in the jail that could
// change it: first this process kills all others, then it says that it is alone, and only when the daemon has read the
// job's counters for the last time and has asked for it does it tell what is there.
namespace outrigger::guest {
namespace {

// Whatever holds this process up, a daemon that does not read among it.
void give_up_in_time() {
  struct sigaction action{};
  // A pid 1 is spared signals it has no handler for.
  action.sa_handler = [](int) { ::_exit(0); };
  ::sigaction(SIGALRM, &action, nullptr);
  ::alarm(jail::kCollectSeconds);
}

// The status of a main process that is the template's child; the others are this process's own, or orphans that come
// to it.
void await_nursed(int nurse) {
  int status = 0;
  if (::recv(nurse, &status, sizeof status, 0) != static_cast<ssize_t>(sizeof status)) ::_exit(0);
  report_exit(status);
}

void reap_everyone(int guest, bool guest_ended) {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return;  // ECHILD: there is nobody
    if (pid == guest && !guest_ended) report_exit(status);
  }
}

}  // namespace

void collect(const Watched& watched, bool guest_ended) {
  give_up_in_time();
  // Reaches every process of the namespace but this one. None slips through by a fork: a child is not made by who has a
  // deadly signal pending (copy_process in kernel/fork.c).
  ::kill(-1, SIGKILL);
  if (watched.nurse >= 0 && !guest_ended) await_nursed(watched.nurse);
  reap_everyone(watched.guest, guest_ended);
  if (::kill(-1, 0) == 0 || errno != ESRCH) ::_exit(0);

  jail::Report alone;
  alone.kind = jail::ReportKind::kAlone;
  alone.at_ns = now(CLOCK_MONOTONIC);
  send_report(alone);
  jail::Order order;
  do {
    if (::recv(jail::kControlFd, &order, sizeof order, 0) != static_cast<ssize_t>(sizeof order)) ::_exit(0);
  } while (order.kind != jail::OrderKind::kCollect);  // the order to end may have crossed our report of the end
  tell_files();
  jail::Report collected;
  collected.kind = jail::ReportKind::kCollected;
  send_report(collected);
  ::_exit(0);
}

}  // namespace outrigger::guest
