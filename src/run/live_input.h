#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <optional>
#include <string>

namespace outrigger::run {

// Bytes for the stdin of a program that runs, from somebody who is there to write them. Single-threaded. It takes
// what it is given: its feeder looks at pending() and stops in time.
class LiveInput {
 public:
  explicit LiveInput(const boost::asio::any_io_executor& executor);
  LiveInput(const LiveInput&) = delete;
  LiveInput& operator=(const LiveInput&) = delete;

  void push(std::string_view bytes);
  // No more will come: the program sees the end of its stdin behind what was pushed.
  void close();
  // What was pushed and not taken yet, in bytes.
  [[nodiscard]] std::size_t pending() const { return pending_.size(); }

  // For whoever runs the program: all that is there, waiting for some; nothing at the end. One at a time.
  boost::asio::awaitable<std::optional<std::string>> next();
  // The program reads no more: what is pushed from now on is dropped, and next() returns nothing.
  void stop();

 private:
  boost::asio::steady_timer wake_;
  std::string pending_;
  bool closed_ = false;
  bool stopped_ = false;
};

}  // namespace outrigger::run
