#include "pool/slots.h"

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

SlotLease::SlotLease(SlotLease&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
SlotLease::~SlotLease() {
  if (slots_ != nullptr) slots_->release();
}

Slots::Slots(const asio::any_io_executor& executor, std::size_t count, std::size_t max_waiting)
    : executor_(executor), count_(count), max_waiting_(max_waiting), idle_(executor) {}

base::Result<SlotLease> Slots::take() {
  ++used_;
  return SlotLease(*this);
}

asio::awaitable<base::Result<SlotLease>> Slots::acquire(std::chrono::milliseconds timeout,
                                                        run::Cancellation& cancellation) {
  if (closed_) co_return base::failure(base::Code::kPaused, "acquire_slot", "the daemon is stopping");
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "acquire_slot", "cancelled");
  if (used_ < count_ && queue_.empty()) co_return take();
  if (queue_.size() >= max_waiting_)
    co_return base::failure(base::Code::kExhausted, "acquire_slot", "too many jobs are waiting");

  Waiter waiter(executor_);
  waiter.timer.expires_after(timeout);
  queue_.push_back(&waiter);
  cancellation.on_cancel([&waiter] { waiter.timer.cancel(); });
  co_await waiter.timer.async_wait(asio::as_tuple(asio::use_awaitable));
  cancellation.on_cancel({});
  if (waiter.granted) co_return SlotLease(*this);
  queue_.remove(&waiter);
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "acquire_slot", "cancelled");
  if (closed_) co_return base::failure(base::Code::kPaused, "acquire_slot", "the daemon is stopping");
  co_return base::failure(base::Code::kExhausted, "acquire_slot",
                          "no slot came free within " + std::to_string(timeout.count()) + " ms");
}

void Slots::release() {
  if (queue_.empty()) {
    if (--used_ == 0) idle_.cancel();
    return;
  }
  // Handed on, not put back.
  Waiter* next = queue_.front();
  queue_.pop_front();
  next->granted = true;
  next->timer.cancel();
}

void Slots::close() {
  closed_ = true;
  for (Waiter* waiter : queue_) waiter->timer.cancel();
}

asio::awaitable<bool> Slots::wait_idle(std::chrono::milliseconds timeout) {
  idle_.expires_after(timeout);
  if (used_ > 0) co_await idle_.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return used_ == 0;
}

}  // namespace outrigger::pool
