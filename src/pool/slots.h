#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

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
  SlotLease(Slots& slots, std::string tenant, bool spare) : slots_(&slots), tenant_(std::move(tenant)), spare_(spare) {}
  Slots* slots_;
  std::string tenant_;
  bool spare_;
};

// A counted number of places. One that comes free goes to the tenant that has the fewest jobs running, among those that
// wait, and of two with as many to the one that has waited longer (max-min fairness): so what one tenant sends never
// keeps another waiting for more than one turn. Within a tenant, and so where there is only one, it is first come,
// first served. Queued jobs get what is spare: a place that nobody waits for who may have it, and no more than
// max_spare of them at a time. Single-threaded.
class Slots {
 public:
  Slots(const boost::asio::any_io_executor& executor, std::size_t count, std::size_t max_waiting,
        std::size_t max_spare);
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  // Who wants a place.
  struct Claim {
    std::string tenant;
    std::uint32_t most = 0;  // jobs of the tenant that may run at a time, queued ones counted; 0: any number
    std::size_t bytes = 0;   // what the job holds in memory while it waits
  };

  // Where max_waiting wait already, the newest of the tenant with the most of them makes room. Errors: kExhausted (none
  // came free in time, or too many wait), kOverQuota (the tenant had `most` running all the time), kCancelled, kPaused
  // (close() was called).
  boost::asio::awaitable<base::Result<SlotLease>> acquire(Claim claim, std::chrono::milliseconds timeout,
                                                          run::Cancellation& cancellation);

  // Waits for a spare place for as long as it takes; first come, first served, past those whose tenant has enough
  // running. Errors: kCancelled, kPaused (close() or hold_spare() was called).
  boost::asio::awaitable<base::Result<SlotLease>> acquire_spare(Claim claim, run::Cancellation& cancellation);
  // How many should come for one now: as many as would get it at once, and while queued jobs run here, a few more, that
  // wait. Those are asked for some at a time, since asking costs something. None while very many wait for others of
  // their own tenant to end.
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
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  friend class SlotLease;
  struct Waiter;
  // A line's turn among those whose first may have a place: jobs running, and when that first came.
  using Turn = std::pair<std::size_t, std::uint64_t>;
  // One tenant.
  struct Line {
    std::size_t running = 0;
    std::list<Waiter*> waiting;
    std::optional<Turn> turn;  // as it stands in ready_
  };

  void forget_if_idle(const std::string& tenant);
  void take_place(Line& line);
  void update_turn(Line& line);
  bool make_room(const Line& newcomer);
  void remove(Waiter& waiter);
  void grant();
  void grant_spare();
  void release(const std::string& tenant, bool spare);
  [[nodiscard]] bool has_spare() const;
  [[nodiscard]] bool may_run(const Claim& claim) const;
  [[nodiscard]] base::Error why_not(const Waiter& waiter, std::chrono::milliseconds timeout,
                                    const run::Cancellation& cancellation) const;
  [[nodiscard]] std::unexpected<base::Error> no_spare() const;
  static boost::asio::awaitable<void> wait(Waiter& waiter, run::Cancellation& cancellation);

  boost::asio::any_io_executor executor_;
  std::size_t count_;
  std::size_t max_waiting_;
  std::size_t used_ = 0;
  std::size_t waiting_ = 0;
  std::size_t max_spare_;
  std::size_t used_spare_ = 0;
  bool closed_ = false;
  bool spare_held_ = false;
  std::uint64_t arrivals_ = 0;
  std::map<std::string, Line, std::less<>> lines_;  // of the tenants that have a job running or waiting
  std::map<Turn, Line*> ready_;                     // those of them that could use a place now; empty while one is free
  std::list<Waiter*> spare_queue_;
  std::function<void()> on_spare_;
  boost::asio::steady_timer idle_;
};

}  // namespace outrigger::pool
