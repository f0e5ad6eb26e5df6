#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"

namespace outrigger::run {

// Whoever holds the program that is fed. Called at once, from within the feeder's calls.
class Fed {
 public:
  Fed() = default;
  Fed(const Fed&) = delete;
  Fed& operator=(const Fed&) = delete;
  virtual ~Fed() = default;

  virtual void signal(int number) = 0;
  virtual void resize(model::TerminalSize size) = 0;
};

// What somebody who is there has for a program that runs: bytes for its stdin, signals, another size of its terminal.
// Single-threaded. It takes what it is given: its feeder looks at pending() and stops in time.
class LiveInput {
 public:
  explicit LiveInput(const boost::asio::any_io_executor& executor);
  LiveInput(const LiveInput&) = delete;
  LiveInput& operator=(const LiveInput&) = delete;

  void push(std::string_view bytes);
  // No more will come: the program sees the end of its stdin behind what was pushed.
  void close();
  // What was pushed and not taken yet, in bytes.
  [[nodiscard]] std::size_t pending() const { return pending_.size() + taken_; }

  // Those that come before the program does reach it as soon as it is there: the first few of them.
  void signal(int number);
  void resize(model::TerminalSize size);

  // For whoever runs the program: it is there from now on, until attach(nullptr).
  void attach(Fed* fed);
  // All that is there, waiting for some; nothing at the end. What it gave before has then been written. One at a time.
  boost::asio::awaitable<std::optional<std::string>> next();
  // The program reads no more: what is pushed from now on is dropped, and next() returns nothing.
  void stop();

 private:
  boost::asio::steady_timer wake_;
  std::string pending_;
  std::size_t taken_ = 0;  // by next(), and being written
  bool closed_ = false;
  bool stopped_ = false;
  Fed* fed_ = nullptr;
  std::vector<int> early_signals_;
  std::optional<model::TerminalSize> early_size_;
};

}  // namespace outrigger::run
