#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>

#include "base/error.h"
#include "jailer/client.h"
#include "run/cancellation.h"

namespace outrigger::pool {

// Where jobs that have a slot wait after the death of a jailer, until the next one serves. Single-threaded.
class JailerGate {
 public:
  // `jailer` must outlive this; `patience` bounds each wait.
  JailerGate(const boost::asio::any_io_executor& executor, const jailer::Client& jailer,
             std::chrono::milliseconds patience)
      : executor_(executor), jailer_(jailer), patience_(patience) {}

  // Resolves at once where a jailer serves. Errors: kSystem (none came in time; step kJailerDied), kCancelled, kPaused
  // (close() was called).
  boost::asio::awaitable<base::Status> pass(run::Cancellation& cancellation);

  // To be told of every change of the jailer's.
  void look_again();
  // Sends away all who wait and all who will come.
  void close();

 private:
  boost::asio::any_io_executor executor_;
  const jailer::Client& jailer_;
  std::chrono::milliseconds patience_;
  bool closed_ = false;
  std::list<boost::asio::steady_timer*> waiting_;
};

}  // namespace outrigger::pool
