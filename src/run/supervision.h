#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "jail/plan.h"
#include "jailer/client.h"
#include "model/job.h"
#include "model/outcome.h"
#include "run/attendance.h"
#include "run/capture.h"
#include "run/evidence.h"
#include "run/feed.h"
#include "run/harvest.h"
#include "run/task_group.h"

namespace outrigger::run {

// One jail from hand-over to death.
//
// The end of a job is the death of its jail, told by pid 1's pidfd and by nothing else: not by the end of its output
// (an orphan may hold it, a program may close it), not by a report. Beside the wait for it run, each a coroutine of its
// own: what goes in (run/feed.h), stdout, stderr, control (what sandbox_init reports), listener (what the filter
// stops), the wall clock and the CPU clock. Whoever finds a reason to end the job calls act(); the first reason counts,
// and only while the program has not been reported dead. All of them have ended when run() returns.
//
// Where the job has a terminal, its master takes the place of the pipes, as soon as it has come and before the program
// is handed over.
//
// Where files are collected, sandbox_init outlives the program and is asked to end it: see end_softly().
class Supervision final {
 public:
  Supervision(const boost::asio::any_io_executor& executor, jailer::Client& jailer, jailer::Jail jail,
              base::UniqueFd listener, const model::Job& job, const model::Runtime& runtime, Attendance attendance,
              std::function<void()> handed_over);

  boost::asio::awaitable<void> run();

  // After run():
  Evidence evidence() const;
  std::chrono::microseconds wall_time() const;
  model::CapturedStream take_stdout() { return (terminal_ ? *terminal_ : stdout_).take(); }
  model::CapturedStream take_stderr() { return stderr_.take(); }
  std::vector<model::CollectedFile> take_files();

 private:
  boost::asio::awaitable<void> watch_control();
  boost::asio::awaitable<void> watch_listener(base::UniqueFd listener);
  boost::asio::awaitable<void> watch_ready();
  boost::asio::awaitable<void> watch_wall_clock();
  boost::asio::awaitable<void> watch_cpu_time();
  boost::asio::awaitable<void> watch_end();
  boost::asio::awaitable<void> await_death();

  bool take_message();
  bool take_report(const jail::Report& report, std::vector<base::UniqueFd> fds);
  void on_terminal(base::UniqueFd master);
  void on_ready(const jail::Report& report, base::UniqueFd listener);
  void start_clocks(std::uint64_t now_ns, std::chrono::microseconds cpu_before, base::UniqueFd listener);
  void on_exited(const jail::Report& report);
  void on_alone();
  void act(Action action);
  void end_softly();
  void end_jail();
  void stop_watching();
  void send_arm();
  bool cpu_limit_is_reachable() const;
  std::chrono::microseconds guest_cpu_time(std::chrono::microseconds total) const;

  boost::asio::any_io_executor executor_;
  jailer::Client& jailer_;
  const model::Job& job_;
  Attendance attendance_;
  std::uint64_t handle_;
  sys::GroupDirs group_;
  base::UniqueFd primed_listener_;  // valid until the clocks are started
  boost::asio::posix::stream_descriptor control_;
  Feed feed_;
  boost::asio::posix::stream_descriptor pidfd_;
  std::optional<boost::asio::posix::stream_descriptor> listener_;
  Capture stdout_;
  Capture stderr_;
  std::optional<Capture> terminal_;  // where the job has one; its output, instead of stdout_'s
  boost::asio::steady_timer ready_timer_;
  boost::asio::steady_timer wall_timer_;
  boost::asio::steady_timer cpu_timer_;
  boost::asio::steady_timer end_timer_;
  TaskGroup tasks_;

  Evidence evidence_;
  std::optional<Harvest> harvest_;           // where the job collects files
  std::optional<sys::Counters> at_its_end_;  // what the guest had used, where its jail goes on to show its files
  bool ending_ = false;                      // by sandbox_init
  bool collected_ = false;                   // all that there is has been told
  bool dead_ = false;
  std::optional<std::uint64_t> ready_at_ns_;
  std::optional<std::uint64_t> ended_at_ns_;
  std::chrono::microseconds cpu_before_{0};                  // what making or priming the jail took; not the guest's
  std::optional<std::chrono::microseconds> setup_cpu_time_;  // of that, what was used while the job counted as running
};

}  // namespace outrigger::run
