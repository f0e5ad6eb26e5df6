#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
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
  SlotLease(Slots& slots, bool spare) : slots_(&slots), spare_(spare) {}
  Slots* slots_;
  bool spare_;
};

// A counted number of places, given first come, first served: who comes later never overtakes who waits. Queued jobs
// get what is spare: a place that nobody waits for, and no more than max_spare of them at a time. Single-threaded.
class Slots {
 public:
  Slots(const boost::asio::any_io_executor& executor, std::size_t count, std::size_t max_waiting,
        std::size_t max_spare);
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  // Errors: kExhausted (none came free in time, or too many wait already), kCancelled, kPaused (close() was called).
  boost::asio::awaitable<base::Result<SlotLease>> acquire(std::chrono::milliseconds timeout,
                                                          run::Cancellation& cancellation);

  // Waits for a spare place for as long as it takes. Errors: kCancelled, kPaused (close() or hold_spare() was called).
  boost::asio::awaitable<base::Result<SlotLease>> acquire_spare(run::Cancellation& cancellation);
  // How many should come for one now: as many as would get it at once, and while queued jobs run here, a few more, that
  // wait. Those are asked for some at a time, since asking costs something.
  [[nodiscard]] std::size_t spare() const;
  // None is given while they are held, and who waits for one is sent away; those who have one keep it.
  void hold_spare(bool held);
  // Called whenever spare() may have risen.
  void on_spare(std::function<void()> handler) { on_spare_ = std::move(handler); }

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
  void release(bool spare);
  [[nodiscard]] bool has_spare() const;
  [[nodiscard]] std::unexpected<base::Error> no_spare() const;
  void grant_spare();
  boost::asio::awaitable<bool> wait_in(std::list<Waiter*>& queue, Waiter& waiter, run::Cancellation& cancellation);

  boost::asio::any_io_executor executor_;
  std::size_t count_;
  std::size_t max_waiting_;
  std::size_t used_ = 0;
  std::size_t max_spare_;
  std::size_t used_spare_ = 0;
  bool closed_ = false;
  bool spare_held_ = false;
  std::list<Waiter*> queue_;
  std::list<Waiter*> spare_queue_;
  std::function<void()> on_spare_;
  boost::asio::steady_timer idle_;
};

}  // namespace outrigger::pool
