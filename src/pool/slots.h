#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <list>

#include "base/error.h"
#include "run/cancellation.h"

namespace outrigger::pool {

class Slots;

// One running job's right to run; gives it back when it goes.
class SlotLease {
 public:
  SlotLease(SlotLease&& other) noexcept;
  SlotLease& operator=(SlotLease&&) = delete;
  ~SlotLease();

 private:
  friend class Slots;
  explicit SlotLease(Slots& slots) : slots_(&slots) {}
  Slots* slots_;
};

// A counted number of places, given first come, first served: who comes later never overtakes who waits.
// Single-threaded.
class Slots {
 public:
  Slots(const boost::asio::any_io_executor& executor, std::size_t count, std::size_t max_waiting);
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  // Errors: kExhausted (none came free in time, or too many wait already), kCancelled, kPaused (close() was called).
  boost::asio::awaitable<base::Result<SlotLease>> acquire(std::chrono::milliseconds timeout,
                                                          run::Cancellation& cancellation);

  // Sends away all who wait and all who will come.
  void close();
  // Resolves when no lease is out, or at the deadline; true in the first case.
  boost::asio::awaitable<bool> wait_idle(std::chrono::milliseconds timeout);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }

 private:
  friend class SlotLease;
  struct Waiter;
  void release();
  base::Result<SlotLease> take();

  boost::asio::any_io_executor executor_;
  std::size_t count_;
  std::size_t max_waiting_;
  std::size_t used_ = 0;
  bool closed_ = false;
  std::list<Waiter*> queue_;
  boost::asio::steady_timer idle_;
};

}  // namespace outrigger::pool
