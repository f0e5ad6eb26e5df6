#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>

namespace outrigger::run {

// Coroutines that run beside their owner and are all waited for before it goes away. Single-threaded.
class TaskGroup {
 public:
  explicit TaskGroup(const boost::asio::any_io_executor& executor);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  // An exception that escapes the task ends the process: it is a bug, and to swallow it would hide a job's end.
  void spawn(boost::asio::awaitable<void> task);
  // Resolves when every task has ended; spawning meanwhile prolongs it.
  boost::asio::awaitable<void> join();

 private:
  boost::asio::any_io_executor executor_;
  boost::asio::steady_timer idle_;
  std::size_t running_ = 0;
};

}  // namespace outrigger::run
