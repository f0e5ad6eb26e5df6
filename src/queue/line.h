#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blocking/thread.h"
#include "store/job_queue.h"

namespace outrigger::queue {

// The way to the queue: its two threads, and how it stands. All from the event loop's thread.
class Line {
 public:
  explicit Line(store::JobQueue& queue) : queue_(queue) {}

  // One call on the thread for commands.
  template <typename Work>
  boost::asio::awaitable<std::invoke_result_t<Work&, store::JobQueue&>> ask(Work work) {
    using Answer = std::invoke_result_t<Work&, store::JobQueue&>;
    auto job = [this, work = std::move(work)]() mutable -> Answer {
      // Else each of those that stand in line would wait its own deadline for a queue that is away.
      if (std::chrono::steady_clock::now() >= closes_at_.load()) {
        return base::failure(base::Code::kCancelled, "queue", "the daemon is ending");
      }
      return work(queue_);
    };
    auto answer = co_await commands_.call(std::move(job));
    note(answer);
    co_return answer;
  }

  boost::asio::awaitable<base::Result<std::vector<store::TakenJob>>> take(std::size_t max,
                                                                          std::chrono::milliseconds wait,
                                                                          store::Identify identify) {
    auto job = [this, max, wait, identify = std::move(identify)] { return queue_.take(max, wait, identify); };
    auto answer = co_await taker_.call(std::move(job));
    note(answer);
    co_return answer;
  }

  void interrupt() { queue_.interrupt(); }

  // From then on nothing is asked any more: every answer is an error at once.
  void close_at(std::chrono::steady_clock::time_point time) { closes_at_ = time; }

  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  template <typename T>
  void note(const base::Result<T>& answer) {
    const std::string text = answer ? "" : answer.error().text();
    if (text.empty() != trouble_.empty()) {
      base::log(text.empty() ? base::Level::kInfo : base::Level::kError, text.empty() ? "queue_back" : "queue_away",
                {{"error", text}});
    }
    trouble_ = text;
  }

  store::JobQueue& queue_;
  std::string trouble_;
  std::atomic<std::chrono::steady_clock::time_point> closes_at_ = std::chrono::steady_clock::time_point::max();
  blocking::Thread commands_;
  blocking::Thread taker_;
};

}  // namespace outrigger::queue
