#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "queue/line.h"

namespace outrigger::queue {

// What is to be sent when a job has ended.
struct Callback {
  std::string url;
  std::string traceparent = {};  // of the job's request; empty: none
  std::string body = {};         // the job's result
};

// Calling back who submitted a job, when it has ended. All calls from the event loop's thread.
class Callbacks {
 public:
  virtual ~Callbacks() = default;

  // Between these, callbacks are made. `line` outlives join(), which resolves when nothing goes on any more.
  virtual void start(Line& line) = 0;
  virtual void stop() = 0;
  virtual boost::asio::awaitable<void> join() = 0;

  // Why this URL may not be called; empty where it may.
  [[nodiscard]] virtual std::string refusal(const std::string& url) const = 0;
  // Keeps what is to be sent before the job is made final, so that no end of this process loses it.
  virtual boost::asio::awaitable<void> prepare(std::string job_id, Callback callback) = 0;
  // The job is final: `deliver` where it was this daemon that made it so.
  virtual void decide(const std::string& job_id, bool deliver) = 0;
};

}  // namespace outrigger::queue
