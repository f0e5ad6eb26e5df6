#include "pool/slots.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace outrigger::pool {
namespace asio = boost::asio;

// The place is counted as used from the moment it is granted, so nobody can slip in before the waiter runs again.
struct Slots::Waiter {
  explicit Waiter(const asio::any_io_executor& executor) : timer(executor) {}
  asio::steady_timer timer;
  bool granted = false;
};

SlotLease::SlotLease(SlotLease&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)), spare_(other.spare_) {}
SlotLease::~SlotLease() {
  if (slots_ != nullptr) slots_->release(spare_);
}

Slots::Slots(const asio::any_io_executor& executor, std::size_t count, std::size_t max_waiting, std::size_t max_spare)
    : executor_(executor), count_(count), max_waiting_(max_waiting), max_spare_(max_spare), idle_(executor) {}

// Whether the place was granted.
asio::awaitable<bool> Slots::wait_in(std::list<Waiter*>& queue, Waiter& waiter, run::Cancellation& cancellation) {
  queue.push_back(&waiter);
  cancellation.on_cancel([&waiter] { waiter.timer.cancel(); });
  co_await waiter.timer.async_wait(asio::as_tuple(asio::use_awaitable));
  cancellation.on_cancel({});
  if (!waiter.granted) queue.remove(&waiter);
  co_return waiter.granted;
}

asio::awaitable<base::Result<SlotLease>> Slots::acquire(std::chrono::milliseconds timeout,
                                                        run::Cancellation& cancellation) {
  if (closed_) co_return base::failure(base::Code::kPaused, "acquire_slot", "the daemon is stopping");
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "acquire_slot", "cancelled");
  if (used_ < count_ && queue_.empty()) {
    ++used_;
    co_return SlotLease(*this, false);
  }
  if (queue_.size() >= max_waiting_)
    co_return base::failure(base::Code::kExhausted, "acquire_slot", "too many jobs are waiting");

  Waiter waiter(executor_);
  waiter.timer.expires_after(timeout);
  if (co_await wait_in(queue_, waiter, cancellation)) co_return SlotLease(*this, false);
  grant_spare();  // this one stands before the queued jobs no longer
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "acquire_slot", "cancelled");
  if (closed_) co_return base::failure(base::Code::kPaused, "acquire_slot", "the daemon is stopping");
  co_return base::failure(base::Code::kExhausted, "acquire_slot",
                          "no slot came free within " + std::to_string(timeout.count()) + " ms");
}

asio::awaitable<base::Result<SlotLease>> Slots::acquire_spare(run::Cancellation& cancellation) {
  if (closed_ || spare_held_) co_return no_spare();
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "acquire_slot", "cancelled");
  if (has_spare() && spare_queue_.empty()) {
    ++used_;
    ++used_spare_;
    co_return SlotLease(*this, true);
  }
  Waiter waiter(executor_);
  waiter.timer.expires_at(asio::steady_timer::time_point::max());
  if (co_await wait_in(spare_queue_, waiter, cancellation)) co_return SlotLease(*this, true);
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "acquire_slot", "cancelled");
  co_return no_spare();
}

std::unexpected<base::Error> Slots::no_spare() const {
  return base::failure(base::Code::kPaused, "acquire_slot", closed_ ? "the daemon is stopping" : "dispatch is paused");
}

bool Slots::has_spare() const {
  return !closed_ && !spare_held_ && queue_.empty() && used_ < count_ && used_spare_ < max_spare_;
}

std::size_t Slots::spare() const {
  if (closed_ || spare_held_) return 0;
  const std::size_t places = has_spare() ? std::min(count_ - used_, max_spare_ - used_spare_) : 0;
  const std::size_t ahead = used_spare_ > 0 ? max_spare_ / 2 : 0;
  const std::size_t waiting = spare_queue_.size();
  const bool worth_asking = waiting < places || 2 * waiting < ahead;
  return worth_asking ? places + ahead - waiting : 0;
}

void Slots::grant_spare() {
  while (has_spare() && !spare_queue_.empty()) {
    Waiter* next = spare_queue_.front();
    spare_queue_.pop_front();
    next->granted = true;
    next->timer.cancel();
    ++used_;
    ++used_spare_;
  }
  if (on_spare_ && spare() > 0) on_spare_();
}

void Slots::hold_spare(bool held) {
  spare_held_ = held;
  if (held) {
    for (Waiter* waiter : spare_queue_) waiter->timer.cancel();
  }
  grant_spare();
}

void Slots::release(bool spare) {
  if (spare) --used_spare_;
  if (!queue_.empty()) {
    // Handed on, not put back.
    Waiter* next = queue_.front();
    queue_.pop_front();
    next->granted = true;
    next->timer.cancel();
    return;
  }
  if (--used_ == 0) idle_.cancel();
  grant_spare();
}

void Slots::close() {
  closed_ = true;
  for (Waiter* waiter : queue_) waiter->timer.cancel();
  for (Waiter* waiter : spare_queue_) waiter->timer.cancel();
}

asio::awaitable<bool> Slots::wait_idle(std::chrono::milliseconds timeout) {
  idle_.expires_after(timeout);
  if (used_ > 0) co_await idle_.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return used_ == 0;
}

}  // namespace outrigger::pool
