#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <list>

namespace outrigger::blocking {

// Waiting that an end can cut short. Single-threaded.
class Sleeper {
 public:
  explicit Sleeper(const boost::asio::any_io_executor& executor) : executor_(executor) {}

  // Until the time is over, wake() or stop(); returns at once after stop().
  boost::asio::awaitable<void> sleep(std::chrono::milliseconds time) {
    if (stopped_) co_return;
    boost::asio::steady_timer timer(executor_, time);
    const auto place = timers_.insert(timers_.end(), &timer);
    co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    timers_.erase(place);
  }
  void wake() {
    for (boost::asio::steady_timer* timer : timers_) timer->cancel();
  }
  void stop() {
    stopped_ = true;
    wake();
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  boost::asio::any_io_executor executor_;
  std::list<boost::asio::steady_timer*> timers_;
  bool stopped_ = false;
};

}  // namespace outrigger::blocking
