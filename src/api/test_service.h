#pragma once

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "pool/pool.h"

namespace outrigger::api {

// An execution service for the tests of this room: it runs nothing, and does what the job's code says.
//   "wait"   goes on until it is cancelled        "throw"   has a fault of its own
//   "large"  answers 40 MiB of stdout             "flood"  writes as much, and then waits
//   "echo"   answers its stdin as stdout          other     ends at once; one of base::code_name's words fails with it
class TestService final : public pool::ExecutionService {
 public:
  boost::asio::awaitable<base::Result<model::Outcome>> execute(model::Job job, run::Attendance attendance) override {
    run::Cancellation& cancellation = attendance.cancellation;
    ++started;
    if (job.code == "throw") throw std::runtime_error("a fault for the test");
    if (const auto code = error_of(job.code)) co_return base::failure(*code, "test_step", "for the test");
    model::Outcome outcome;
    outcome.job_id = "job";
    outcome.tenant_id = job.tenant_id;
    outcome.language = job.language;
    outcome.status = model::Status::kCompleted;
    outcome.exit_code = 0;
    outcome.cause = {"exited", "exited with status 0"};
    if (attendance.follower != nullptr) attendance.follower->started("job");
    if (job.code == "large") outcome.stdout_stream = {std::string(40U << 20, 'x'), 40U << 20, true};
    if (job.code == "echo") outcome.stdout_stream = {job.stdin_data, job.stdin_data.size(), false};
    if (job.code == "echo" && attendance.follower != nullptr) {
      attendance.follower->wrote(run::Stream::kStdout, job.stdin_data);
    }
    if (job.code == "flood" && attendance.follower != nullptr) {
      attendance.follower->wrote(run::Stream::kStdout, std::string(40U << 20, 'x'));
    }
    if (job.code == "wait" || job.code == "flood") co_await wait(cancellation, outcome);
    {
      const std::lock_guard lock(mutex_);
      last_job_ = std::move(job);
    }
    ++ended;
    co_return outcome;
  }

  [[nodiscard]] const std::vector<model::InstalledRuntime>& runtimes() const override { return installed; }
  [[nodiscard]] pool::PoolState state() const override { return pool_state; }
  [[nodiscard]] const pool::JobCounters& job_counters() const override { return counters; }
  bool cancel(const std::string& job_id, std::string_view) override { return job_id == "job" && !waiting_.empty(); }
  [[nodiscard]] std::size_t spare_slots() const override { return 0; }
  void on_spare_slots(std::function<void()>) override {}
  void set_dispatch(pool::DispatchState dispatch) override { pool_state.dispatch = std::move(dispatch); }

  model::Job last_job() {
    const std::lock_guard lock(mutex_);
    return last_job_;
  }
  // Cancels the jobs that wait; from the event loop's thread.
  void cancel_waiting(run::CancelReason reason) {
    for (run::Cancellation* each : std::set(waiting_)) each->cancel(reason);
  }

  // Set before the server starts; read by its thread.
  std::vector<model::InstalledRuntime> installed{
      {{"python", {"py", "python3"}, "standard", {"python3"}, "main.py", {"/usr/bin/python3", "main.py"}, {}, {}},
       "/images/standard",
       "3.11"},
      {{"bash", {}, "standard", {"bash"}, "main.sh", {"/bin/bash", "main.sh"}, {}, {}}, "/images/standard", "5.2"},
      {{"node", {"js"}, "missing", {"nodejs"}, "main.js", {"/usr/bin/node", "main.js"}, {}, {}}, "", ""}};
  pool::PoolState pool_state{16, 1, 2, true, "v2", "", {}};
  pool::JobCounters counters;

  std::atomic<int> started = 0;
  std::atomic<int> ended = 0;
  std::atomic<int> left = 0;  // jobs that were cancelled because their client left

 private:
  boost::asio::awaitable<void> wait(run::Cancellation& cancellation, model::Outcome& outcome) {
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer timer(executor, boost::asio::steady_timer::time_point::max());
    cancellation.on_cancel([&timer] { timer.cancel(); });
    waiting_.insert(&cancellation);
    if (!cancellation.cancelled()) co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    waiting_.erase(&cancellation);
    cancellation.on_cancel({});
    if (cancellation.reason() == run::CancelReason::kClientLeft) ++left;
    outcome.status = model::Status::kCancelled;
  }

  static std::optional<base::Code> error_of(std::string_view word) {
    for (int i = 0; i <= static_cast<int>(base::Code::kInternal); ++i) {
      if (base::code_name(static_cast<base::Code>(i)) == word) return static_cast<base::Code>(i);
    }
    return std::nullopt;
  }

  std::mutex mutex_;
  model::Job last_job_;
  std::set<run::Cancellation*> waiting_;
};

}  // namespace outrigger::api
