#include "jailer/keeper.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <span>
#include <string>

#include "base/log.h"
#include "jailer/children.h"
#include "jailer/jailer_process.h"
#include "jailer/process_name.h"
#include "jailer/protocol.h"
#include "jailer/server.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// More than the first waits for its templates.
constexpr auto kStartTimeout = 65s;
constexpr auto kSweepPatience = 5s;

int milliseconds(std::chrono::milliseconds time) { return static_cast<int>(time.count()); }

}  // namespace

int Keeper::run() {
  // What a dead jailer leaves becomes ours: to be killed, and to be waited for.
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) return 1;
  while (!ending_) {
    served_ = {};
    const base::Status started = keep_one();
    clean_up();
    if (ending_) break;
    if (!started && generation_ == 1) {
      machine_.cgroups->close();
      announce_failure(started.error(), 0ms);
      return 1;
    }
    const auto pause = pace_.after(served_);
    if (!started || pause > 0ms) {
      announce_failure(started ? base::Error{"serve", base::Code::kInternal, 0, "it died at once"} : started.error(),
                       pause);
    }
    wait(pause);
  }
  machine_.cgroups->close();
  return 0;
}

base::Status Keeper::keep_one() {
  ++generation_;
  auto pair = sys::socket_pair(SOCK_SEQPACKET);
  if (!pair) return std::unexpected(pair.error());
  const auto jailer = fork_jailer(pair->first, std::move(pair->second));
  if (!jailer) return std::unexpected(jailer.error());
  base::Status status = await_word(pair->first.get());
  if (status) status = announce(*jailer, std::move(pair->first));
  if (!status) (void)sys::send_signal(jailer->pidfd.get(), SIGKILL);
  const auto began = Clock::now();
  await_end(*jailer);
  if (status) served_ = Clock::now() - began;
  return status;
}

base::Result<sys::Child> Keeper::fork_jailer(base::UniqueFd& daemon_end, base::UniqueFd jailer_end) {
  sys::Child jailer;
  jailer.pid = ::fork();
  if (jailer.pid < 0) return base::system_error("fork_jailer");
  if (jailer.pid == 0) {
    daemon_end.reset();
    daemon_.reset();
    set_process_name(kJailerName);
    std::exit(serve_jails(std::move(machine_), std::move(jailer_end), generation_));  // NOLINT(concurrency-mt-unsafe)
  }
  jailer.pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, jailer.pid, 0)));
  if (!jailer.pidfd) return base::system_error("fork_jailer", "pidfd");  // clean_up() ends it
  return jailer;
}

base::Status Keeper::await_word(int daemon_end) {
  std::array<pollfd, 2> waits{{{daemon_end, POLLIN, 0}, {daemon_.get(), POLLIN, 0}}};
  const int ready = ::poll(waits.data(), waits.size(), milliseconds(kStartTimeout));
  if (ready == 0) return base::system_error("start_jailer", "not ready in time", ETIMEDOUT);
  if (waits[1].revents != 0) {
    ending_ = true;
    return base::failure(base::Code::kCancelled, "start_jailer", "the daemon is gone");
  }
  Failure failure;
  const auto received = sys::receive_message(daemon_end, std::as_writable_bytes(std::span(&failure, 1)));
  if (!received || received->size != sizeof failure) {
    return base::failure(base::Code::kInternal, "start_jailer", "it ended before it was ready");
  }
  if (const std::string step = failure.step.str(); !step.empty()) {
    return base::system_error(step, failure.context.str(), failure.errno_value);
  }
  return {};
}

base::Status Keeper::announce(const sys::Child& jailer, base::UniqueFd daemon_end) {
  Announcement announcement;
  announcement.generation = generation_;
  announcement.pid = jailer.pid;
  announcement.cgroup_v2 = machine_.cgroups->version() == sys::CgroupVersion::kV2 ? 1 : 0;
  announcement.cgroup_root.set(machine_.cgroups->root());
  const std::array fds{daemon_end.get(), jailer.pidfd.get()};
  return sys::send_message(daemon_.get(), std::as_bytes(std::span(&announcement, 1)), fds);
}

void Keeper::announce_failure(const base::Error& error, std::chrono::milliseconds pause) {
  Announcement announcement;
  set_failure(announcement.failure, error);
  announcement.failed_in_a_row = pace_.failed_in_a_row();
  announcement.pause_ms = static_cast<std::uint32_t>(pause.count());
  (void)sys::send_message(daemon_.get(), std::as_bytes(std::span(&announcement, 1)));
}

void Keeper::await_end(const sys::Child& jailer) {
  for (;;) {
    std::array<pollfd, 2> waits{{{jailer.pidfd.get(), POLLIN, 0}, {ending_ ? -1 : daemon_.get(), POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), -1);
    if (waits[1].revents != 0) ending_ = true;
    if (waits[0].revents != 0) break;
  }
  const auto status = sys::reap(jailer.pidfd.get());
  if (ending_ || !status || !*status) return;
  const std::string how = WIFSIGNALED(**status) ? "signal " + std::to_string(WTERMSIG(**status))
                                                : "exit status " + std::to_string(WEXITSTATUS(**status));
  base::log(base::Level::kError, "jailer_ended", {{"pid", std::to_string(jailer.pid)}, {"by", how}});
}

void Keeper::clean_up() {
  (void)machine_.cgroups->sweep();  // so that dying is not held back by a quota
  end_children();
  if (machine_.cgroups->sweep_within(kSweepPatience)) return;
  base::log(base::Level::kError, "groups_left_behind", {{"root", machine_.cgroups->root()}});
}

void Keeper::wait(std::chrono::milliseconds pause) {
  pollfd waits{daemon_.get(), POLLIN, 0};
  ending_ = ::poll(&waits, 1, milliseconds(pause)) > 0;
}

}  // namespace outrigger::jailer
