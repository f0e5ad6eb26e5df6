#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "blocking/sleeper.h"
#include "blocking/thread.h"
#include "queue/line.h"
#include "run/task_group.h"
#include "store/outbox.h"

namespace outrigger::queue {

// Jobs that were accepted here. Where the queue is shared they are first kept on this machine's own disk, then put into
// it, and looked after until they are final: so they are accepted while it is away, and survive the loss of its memory.
// Many that come at once are put to disk together. Single-threaded.
class Promises {
 public:
  // `outbox` null: the queue itself keeps them. `patience`: how long a job may be missing from the queue before it is
  // put in again; longer than its worker needs to say that it has it.
  Promises(const boost::asio::any_io_executor& executor, Line& line, std::unique_ptr<store::Outbox> outbox,
           std::chrono::milliseconds patience);

  boost::asio::awaitable<base::Status> keep(store::Submission job);
  // Whether it is kept here, and is not in the queue as far as is known.
  [[nodiscard]] bool is_unsent(const std::string& job_id) const { return unsent_.contains(job_id); }
  // As it is kept here; empty where it is not.
  boost::asio::awaitable<std::string> entry_of(std::string job_id);
  [[nodiscard]] std::size_t unsent() const { return unsent_.size(); }

  // Sees that they get to the queue; to be spawned once, and waited for.
  boost::asio::awaitable<void> look_after();
  void stop();

 private:
  struct Batch;
  using SystemTime = std::chrono::system_clock::time_point;

  boost::asio::awaitable<void> flush();
  boost::asio::awaitable<base::Status> write(std::vector<store::Submission> jobs);
  boost::asio::awaitable<bool> look_at_some();
  boost::asio::awaitable<bool> put(std::vector<store::Submission> jobs);
  boost::asio::awaitable<void> note(std::vector<std::string> seen, std::vector<std::string> final);

  boost::asio::any_io_executor executor_;
  Line& line_;
  std::unique_ptr<store::Outbox> outbox_;
  std::chrono::milliseconds patience_;
  std::shared_ptr<Batch> next_;  // what comes while a batch is being written
  bool writing_ = false;
  std::map<std::string, bool> unsent_;  // true: it was never put in by this process or another
  std::map<std::string, std::chrono::steady_clock::time_point> missing_;  // since when
  blocking::Sleeper sleeper_;
  run::TaskGroup tasks_;
  blocking::Thread disk_;
};

}  // namespace outrigger::queue
