#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "wire/execute_request.h"
#include "wire/job_status.h"

namespace outrigger::queue {

struct QueueState {
  std::string driver;   // "embedded", "redis"
  std::string trouble;  // empty, or why the queue can't be reached
  std::uint64_t waiting = 0;
  std::uint64_t running = 0;  // of all workers
  std::uint64_t dead = 0;
  std::uint64_t in_flight = 0;  // taken by this daemon and not settled yet
  std::uint64_t unsent = 0;     // accepted here, and not yet known to be in the shared queue
};

enum class Cancelled {
  kUnderWay,  // it will end as cancelled, unless it ends by itself before
  kEnded,     // too late
  kUnknown,
};

// The queue as those see it who want jobs run. All calls from the event loop's thread. Errors: kUnavailable where the
// queue, or the disk that a promise is kept on, can't be reached.
class JobDesk {
 public:
  virtual ~JobDesk() = default;

  // `body`: what wire::parse_job_request() took. When it resolves the job is promised: it survives this daemon. The
  // job's id.
  virtual boost::asio::awaitable<base::Result<std::string>> submit(std::string body, wire::EntryNotes notes) = 0;
  // kNotFound for an id nobody knows, or a job whose result has been forgotten.
  virtual boost::asio::awaitable<base::Result<wire::JobStatus>> look(std::string job_id) = 0;
  virtual boost::asio::awaitable<base::Result<Cancelled>> cancel(std::string job_id) = 0;
  // Why this URL may not be called back; empty where it may.
  [[nodiscard]] virtual std::string callback_refusal(const std::string& url) const = 0;
  [[nodiscard]] virtual QueueState state() const = 0;
};

}  // namespace outrigger::queue
