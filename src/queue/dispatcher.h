#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "audit/run_log.h"
#include "blocking/sleeper.h"
#include "pool/pool.h"
#include "queue/callbacks.h"
#include "queue/job_desk.h"
#include "queue/line.h"
#include "queue/promises.h"
#include "queue/runner.h"
#include "run/task_group.h"
#include "store/job_queue.h"
#include "store/outbox.h"

namespace outrigger::queue {

struct DispatcherOptions {
  RunnerOptions runner;
  std::string driver;  // "embedded", "redis": for people
  std::chrono::milliseconds lease{15'000};
};

// The daemon as a worker of the queue: takes jobs as slots are spare, runs and settles them, keeps its lease, returns
// what dead workers had, and keeps the promises it has made. Single-threaded: the event loop's.
class Dispatcher final : public JobDesk {
 public:
  // All by reference outlive it. `log` may be null; `outbox` is null where the queue itself is on this machine's disk.
  Dispatcher(const boost::asio::any_io_executor& executor, pool::ExecutionService& service, audit::RunLog* log,
             std::unique_ptr<store::JobQueue> queue, std::unique_ptr<store::Outbox> outbox, Callbacks& callbacks,
             DispatcherOptions options);

  // `held`: rows of an earlier process that wait for their word.
  void start(std::vector<model::RunRecord> held);
  // Takes no further job; those taken and not begun are given back.
  void stop_taking();
  // After stop_taking(), when no job runs any more: resolves when all are settled, or `limit` has passed.
  boost::asio::awaitable<void> drain(std::chrono::milliseconds limit);

  boost::asio::awaitable<base::Result<std::string>> submit(std::string body, wire::EntryNotes notes) override;
  boost::asio::awaitable<base::Result<wire::JobStatus>> look(std::string job_id) override;
  boost::asio::awaitable<base::Result<Cancelled>> cancel(std::string job_id) override;
  [[nodiscard]] std::string callback_refusal(const std::string& url) const override { return callbacks_.refusal(url); }
  [[nodiscard]] QueueState state() const override;

 private:
  boost::asio::awaitable<void> take_jobs();
  boost::asio::awaitable<void> keep_lease();
  boost::asio::awaitable<void> renew_and_recover();
  void begin(store::TakenJob taken);

  pool::ExecutionService& service_;
  Callbacks& callbacks_;
  DispatcherOptions options_;
  std::unique_ptr<store::JobQueue> queue_;
  Line line_;
  Runner runner_;
  Promises promises_;
  blocking::Sleeper sleeper_;  // of what goes on all the time
  blocking::Sleeper spare_;    // woken when a slot may be spare
  store::QueueDepth depth_;
  run::TaskGroup tasks_;    // one a job that was taken
  run::TaskGroup keepers_;  // what goes on all the time
};

}  // namespace outrigger::queue
