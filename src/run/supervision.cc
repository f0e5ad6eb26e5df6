#include "run/supervision.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstring>
#include <span>

#include "run/readable.h"
#include "run/violation.h"
#include "sys/message_socket.h"

namespace outrigger::run {
namespace asio = boost::asio;
namespace {

using namespace std::chrono_literals;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
// A jail is ready in milliseconds; on a machine under any load this is a fault, not a delay.
constexpr auto kReadyTimeout = 10s;
// How long past the wall limit sandbox_init lets the jail live when nobody else ends it.
constexpr auto kAlarmGrace = 2000ms;
constexpr auto kShortestCpuCheck = 5ms;
// How long sandbox_init may take to end a guest, which it does at once, and then to show its files; else the jailer
// ends the jail.
constexpr auto kEndTimeout = 1000ms;
constexpr auto kCollectTimeout = 4000ms;
static_assert(kEndTimeout + kCollectTimeout < std::chrono::seconds(jail::kCollectSeconds));
// With less it could be held back for a tenth of a second by what the guest has used.
constexpr double kCollectCores = 1.0;
constexpr std::size_t kMessagesAtOnce = 32;

std::uint64_t monotonic_now() {
  timespec now{};
  static_cast<void>(::clock_gettime(CLOCK_MONOTONIC, &now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

std::function<void(std::string_view)> tap(Follower* follower, Stream stream) {
  if (follower == nullptr) return {};
  return [follower, stream](std::string_view bytes) { follower->wrote(stream, bytes); };
}

template <typename T>
T read_as(std::span<const std::byte> message) {
  T out;
  std::memcpy(&out, message.data(), sizeof out);
  return out;
}

Action action_for(CancelReason reason) {
  switch (reason) {
    case CancelReason::kClientLeft: return Action::kClientLeft;
    case CancelReason::kShuttingDown: return Action::kShutDown;
    case CancelReason::kRequested:
    case CancelReason::kNone: break;
  }
  return Action::kCancelled;
}

}  // namespace

Supervision::Supervision(const asio::any_io_executor& executor, jailer::Client& jailer, jailer::Jail jail,
                         base::UniqueFd listener, const model::Job& job, const model::Runtime& runtime,
                         Attendance attendance, std::function<void()> handed_over)
    : executor_(executor),
      jailer_(jailer),
      job_(job),
      attendance_(attendance),
      handle_(jail.handle),
      group_(std::move(jail.group)),
      primed_listener_(std::move(listener)),
      control_(executor, jail.control.release()),
      feed_(executor, {std::move(jail.launch), std::move(jail.stdin_end), control_}, job, runtime, attendance.input,
            std::move(handed_over)),
      pidfd_(executor, jail.pidfd.release()),
      stdout_(executor, std::move(jail.stdout_end), job.limits.output_bytes, tap(attendance.follower, Stream::kStdout)),
      stderr_(executor, std::move(jail.stderr_end), job.limits.output_bytes, tap(attendance.follower, Stream::kStderr)),
      ready_timer_(executor),
      wall_timer_(executor),
      cpu_timer_(executor),
      end_timer_(executor),
      tasks_(executor) {
  evidence_.limits = job.limits;
  if (!job.collect.empty()) harvest_.emplace(job.collect, job.collect_caps);
}

asio::awaitable<void> Supervision::run() {
  send_arm();
  if (primed_listener_) {
    setup_cpu_time_ = 0us;
    start_clocks(monotonic_now(), sys::read_cpu_usage(group_).value_or(0us), std::move(primed_listener_));
  } else {
    tasks_.spawn(watch_ready());
  }
  tasks_.spawn(watch_control());
  if (!job_.terminal) feed_.begin(tasks_);
  tasks_.spawn(stdout_.run());
  tasks_.spawn(stderr_.run());
  Cancellation& cancellation = attendance_.cancellation;
  cancellation.on_cancel([this, &cancellation] { act(action_for(cancellation.reason())); });
  co_await await_death();
  cancellation.on_cancel({});
  stop_watching();
  co_await tasks_.join();
}

// The guard of last resort, told before the program is: it holds even if this process is stopped right now, and however
// soon the program ends.
void Supervision::send_arm() {
  jail::Order arm;
  arm.collects = harvest_ ? 1 : 0;
  arm.signals = attendance_.input != nullptr ? 1 : 0;
  arm.alarm_ms = static_cast<std::uint64_t>((job_.limits.wall_time + kAlarmGrace).count());
  (void)send_order(control_, arm);
}

asio::awaitable<void> Supervision::await_death() {
  co_await wait_readable(pidfd_);
  dead_ = true;
  if (!ended_at_ns_) ended_at_ns_ = monotonic_now();
}

void Supervision::stop_watching() {
  ready_timer_.cancel();
  wall_timer_.cancel();
  cpu_timer_.cancel();
  end_timer_.cancel();
  feed_.stop();
  if (listener_) close(*listener_);
  // Control and the outputs end by themselves: nobody is left to hold their other ends.
}

// Both its ends here are of one open file: what is waited for at once needs two descriptors.
void Supervision::on_terminal(base::UniqueFd master) {
  base::UniqueFd input(::fcntl(master.get(), F_DUPFD_CLOEXEC, 0));
  if (!master || !input || !job_.terminal || terminal_) {
    evidence_.failed_step = base::Error{"receive_terminal", base::Code::kInternal, errno, "no terminal came"};
    return end_jail();
  }
  feed_.take_terminal(std::move(input), *job_.terminal);
  terminal_.emplace(executor_, std::move(master), job_.limits.output_bytes, tap(attendance_.follower, Stream::kStdout));
  tasks_.spawn(terminal_->run());
  feed_.begin(tasks_);
}

asio::awaitable<void> Supervision::watch_control() {
  for (;;) {
    const bool readable = co_await wait_readable(control_);
    if (!readable || !take_message()) break;
  }
  close(control_);
}

// One, or of a jail that shows its files as many as are there, but not so many that others wait for it.
bool Supervision::take_message() {
  std::array<std::byte, sizeof(jail::FoundEntry)> message{};
  for (std::size_t i = 0; i < (at_its_end_ ? kMessagesAtOnce : 1); ++i) {
    auto received = sys::receive_message(control_.native_handle(), message);
    // ECONNRESET: the other end closed with our Order unread. What it had said before is still there to be read.
    if (!received) return received.error().errno_value == EAGAIN || received.error().errno_value == ECONNRESET;
    if (received->size == sizeof(jail::FoundEntry) && harvest_ && at_its_end_) {
      harvest_->take(read_as<jail::FoundEntry>(message), received->fds.empty() ? -1 : received->fds.front().get());
    } else if (received->size != sizeof(jail::Report) ||
               !take_report(read_as<jail::Report>(message), std::move(received->fds))) {
      return false;
    }
  }
  return true;
}

bool Supervision::take_report(const jail::Report& report, std::vector<base::UniqueFd> fds) {
  switch (report.kind) {
    case jail::ReportKind::kReady:
      on_ready(report, fds.empty() ? base::UniqueFd{} : std::move(fds.front()));
      return true;
    case jail::ReportKind::kFailed:
      if (!evidence_.failed_step) {
        evidence_.failed_step = base::Error{jail::step_name(report.step), base::Code::kSystem, report.errno_value, {}};
      }
      return true;
    case jail::ReportKind::kExited: on_exited(report); return true;
    case jail::ReportKind::kAlone: on_alone(); return true;
    case jail::ReportKind::kTerminal: on_terminal(fds.empty() ? base::UniqueFd{} : std::move(fds.front())); return true;
    case jail::ReportKind::kCollected: collected_ = true; return true;
  }
  return false;
}

void Supervision::on_exited(const jail::Report& report) {
  evidence_.guest_status = report.wait_status;
  evidence_.tmp_out_of_space = report.tmp_out_of_space != 0;
  evidence_.tmp_out_of_inodes = report.tmp_out_of_inodes != 0;
  ended_at_ns_ = report.at_ns;
  if (harvest_) end_softly();
}

// The time it took until now is the job's: what showing its files costs is not the guest's doing.
void Supervision::on_alone() {
  if (!harvest_ || at_its_end_) return;
  at_its_end_ = sys::read_counters(group_);
  if (!send_order(control_, {.kind = jail::OrderKind::kCollect})) end_jail();
}

void Supervision::on_ready(const jail::Report& report, base::UniqueFd listener) {
  ready_timer_.cancel();
  if (!listener) {
    evidence_.failed_step =
        base::Error{"receive_listener", base::Code::kInternal, 0, "no descriptor came with the report"};
    return end_jail();
  }
  setup_cpu_time_ = std::chrono::microseconds(report.setup_cpu_ns / 1000);
  start_clocks(report.at_ns, *setup_cpu_time_, std::move(listener));
}

void Supervision::start_clocks(std::uint64_t now_ns, std::chrono::microseconds cpu_before, base::UniqueFd listener) {
  ready_at_ns_ = now_ns;
  cpu_before_ = cpu_before;
  if (dead_) return;
  tasks_.spawn(watch_listener(std::move(listener)));
  tasks_.spawn(watch_wall_clock());
  if (cpu_limit_is_reachable()) tasks_.spawn(watch_cpu_time());
}

asio::awaitable<void> Supervision::watch_listener(base::UniqueFd listener) {
  listener_.emplace(executor_, listener.release());
  while (!dead_) {
    const bool readable = co_await wait_readable(*listener_);
    if (!readable) break;
    auto violation = take_violation(listener_->native_handle());
    if (!violation) {
      // Reads as ready for ever: the death of the jail is on its way.
      if (is_abandoned(listener_->native_handle())) break;
      continue;
    }
    evidence_.violations.push_back(std::move(*violation));
    act(Action::kViolation);
  }
}

asio::awaitable<void> Supervision::watch_ready() {
  ready_timer_.expires_after(kReadyTimeout);
  const auto [error] = co_await ready_timer_.async_wait(kTuple);
  if (error || dead_ || ready_at_ns_) co_return;
  evidence_.failed_step =
      base::Error{"await_ready", base::Code::kTimedOut, ETIMEDOUT, "the jail was not ready in time"};
  end_jail();
}

asio::awaitable<void> Supervision::watch_wall_clock() {
  wall_timer_.expires_after(job_.limits.wall_time);
  const auto [error] = co_await wall_timer_.async_wait(kTuple);
  if (!error) act(Action::kWallClock);
}

// Within the wall clock, with the whole bandwidth, can the job use that much? Half a core for 5 s never makes 5 s.
bool Supervision::cpu_limit_is_reachable() const {
  const double most = static_cast<double>(job_.limits.wall_time.count()) * job_.limits.cpu_cores;
  return static_cast<double>(job_.limits.cpu_time.count()) < most;
}

std::chrono::microseconds Supervision::guest_cpu_time(std::chrono::microseconds total) const {
  return std::max(total - cpu_before_, 0us);
}

asio::awaitable<void> Supervision::watch_cpu_time() {
  while (!dead_) {
    const auto used = sys::read_cpu_usage(group_);
    if (!used) co_return;
    const auto left = std::chrono::microseconds(job_.limits.cpu_time) - guest_cpu_time(*used);
    if (left <= 0us) co_return act(Action::kCpuTime);
    // No sooner can the rest be used up than at the full bandwidth: there is no need to look before that.
    const auto soonest =
        std::chrono::microseconds(static_cast<std::int64_t>(static_cast<double>(left.count()) / job_.limits.cpu_cores));
    cpu_timer_.expires_after(std::max<std::chrono::microseconds>(soonest, kShortestCpuCheck));
    const auto [error] = co_await cpu_timer_.async_wait(kTuple);
    if (error) co_return;
  }
}

void Supervision::act(Action action) {
  if (dead_) return;
  const bool nobody_waits = action == Action::kClientLeft || action == Action::kShutDown;
  if (nobody_waits && ending_) end_jail();
  if (evidence_.first_action != Action::kNone || evidence_.guest_status) return;
  evidence_.first_action = action;
  if (harvest_ && ready_at_ns_ && !nobody_waits && jailer_.lives(handle_)) return end_softly();
  end_jail();
}

// The guest has ended, or is to: sandbox_init sees to it that nothing else lives, and then shows the files. If it takes
// too long the jail is ended as any other.
void Supervision::end_softly() {
  if (ending_) return;
  ending_ = true;
  if (job_.limits.cpu_cores < kCollectCores) jailer_.arm(handle_, kCollectCores);
  if (!evidence_.guest_status && !send_order(control_, {.kind = jail::OrderKind::kEnd})) return end_jail();
  tasks_.spawn(watch_end());
}

asio::awaitable<void> Supervision::watch_end() {
  end_timer_.expires_after(kEndTimeout);
  const auto [no_end] = co_await end_timer_.async_wait(kTuple);
  if (no_end || dead_) co_return;
  if (!at_its_end_) co_return end_jail();
  end_timer_.expires_after(kCollectTimeout);
  const auto [no_files] = co_await end_timer_.async_wait(kTuple);
  if (!no_files) end_jail();
}

void Supervision::end_jail() {
  if (jailer_.lives(handle_)) return jailer_.kill(handle_);
  // Without its jailer the end of the control socket does it: sandbox_init ends the jail.
  close(control_);
}

std::vector<model::CollectedFile> Supervision::take_files() {
  if (!harvest_) return {};
  return harvest_->finish(collected_ && !evidence_.failed_step);
}

Evidence Supervision::evidence() const {
  Evidence all = evidence_;
  all.jailer_died = !evidence_.guest_status && !jailer_.lives(handle_);
  const sys::Counters counters = sys::read_counters(group_);
  const sys::Counters& times = at_its_end_ ? *at_its_end_ : counters;
  model::Usage& usage = all.usage;
  if (times.cpu_usage) usage.cpu_time = guest_cpu_time(*times.cpu_usage);
  usage.setup_cpu_time = setup_cpu_time_;
  usage.throttled_time = times.throttled;
  usage.periods = times.periods;
  usage.throttled_periods = times.throttled_periods;
  usage.peak_memory_bytes = counters.memory_peak;
  usage.oom_kills = counters.oom_kills;
  usage.memory_limit_hits = counters.memory_limit_hits;
  usage.peak_pids = counters.pids_peak;
  usage.pids_limit_hits = counters.pids_limit_hits;
  all.stdout_truncated = (terminal_ ? *terminal_ : stdout_).truncated();
  all.stderr_truncated = stderr_.truncated();
  return all;
}

std::chrono::microseconds Supervision::wall_time() const {
  if (!ready_at_ns_ || !ended_at_ns_ || *ended_at_ns_ < *ready_at_ns_) return 0us;
  return std::chrono::microseconds((*ended_at_ns_ - *ready_at_ns_) / 1000);
}

}  // namespace outrigger::run
