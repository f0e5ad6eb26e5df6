#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "audit/run_log.h"
#include "blocking/sleeper.h"
#include "pool/pool.h"
#include "queue/callbacks.h"
#include "queue/in_flight.h"
#include "queue/line.h"
#include "store/job_queue.h"
#include "wire/execute_request.h"
#include "wire/job_status.h"

namespace outrigger::queue {

struct RunnerOptions {
  wire::RequestRules rules;
  std::string worker;  // this daemon's name in the queue
  std::string node;    // and in results
  std::uint32_t max_attempts = 3;
  std::chrono::seconds result_lifetime{24 * 3600};
};

// One taken job to its end: run, and settled with the queue, its row with it. What the queue does not acknowledge is
// tried again until it does.
class Runner {
 public:
  // All by reference outlive it. `log` may be null.
  Runner(const boost::asio::any_io_executor& executor, pool::ExecutionService& service, audit::RunLog* log, Line& line,
         Callbacks& callbacks, RunnerOptions options);

  boost::asio::awaitable<void> run(store::TakenJob taken);
  // A row that an earlier process held: kept if the queue says that its attempt made the result.
  boost::asio::awaitable<void> settle_recovered(model::RunRecord record);

  // From now on nothing is tried again for longer than `limit`: what is not settled then, is at the next start.
  void stop(std::chrono::milliseconds limit);
  // Jobs are given back unrun from now on.
  void stop_running() { closing_ = true; }

  // How long no job should be taken, since one that was could not be run here: zero where all is well.
  [[nodiscard]] std::chrono::milliseconds reluctance() const;

  [[nodiscard]] InFlight& in_flight() { return in_flight_; }
  [[nodiscard]] const InFlight& in_flight() const { return in_flight_; }

 private:
  // What is to become of a taken job.
  struct Ending {
    enum class Way { kFinish, kBury, kGiveBack };
    Way way = Way::kFinish;
    std::string result;  // for the first two
    std::string reason;  // for the last two
    bool counts = true;  // kGiveBack: an attempt was used up
    bool has_row = false;
    std::string callback_url;
    std::string traceparent = {};
  };

  boost::asio::awaitable<Ending> run_request(wire::QueuedRequest request, store::TakenJob taken);
  boost::asio::awaitable<void> settle(store::RunningJob job, Ending ending);
  Ending end_of(const model::Outcome& outcome, const model::Job& job, bool shutting_down) const;
  Ending end_without_run(model::Job job, model::Status status, model::Cause cause) const;
  Ending rejected(const wire::Rejected& rejected, const wire::RequestError& error) const;
  boost::asio::awaitable<bool> made_final(store::RunningJob job);
  boost::asio::awaitable<void> cancel_given_back(std::string job_id);

  pool::ExecutionService& service_;
  audit::RunLog* log_;
  Line& line_;
  Callbacks& callbacks_;
  RunnerOptions options_;
  InFlight in_flight_;
  blocking::Sleeper sleeper_;
  bool closing_ = false;
  std::chrono::steady_clock::time_point not_before_;
  std::chrono::steady_clock::time_point give_up_at_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace outrigger::queue
