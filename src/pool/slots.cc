#include "pool/slots.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace outrigger::pool {
namespace asio = boost::asio;
namespace {

constexpr std::string_view kStep = "acquire_slot";
// Of queued jobs that wait only for others of their own tenant: they are taken out of the queue, so that who stands
// behind them is not held up, but not without end.
constexpr std::size_t kMaxParked = 1024;
constexpr std::size_t kMaxParkedBytes = 64U << 20;

}  // namespace

// The place is counted as used from the moment it is granted, so nobody can slip in before the waiter runs again.
struct Slots::Waiter {
  Waiter(const asio::any_io_executor& executor, const Claim& wanted, std::uint64_t number)
      : timer(executor), claim(wanted), arrival(number) {}
  asio::steady_timer timer;
  const Claim& claim;
  std::uint64_t arrival;
  bool granted = false;
  bool displaced = false;
};

SlotLease::SlotLease(SlotLease&& other) noexcept
    : slots_(std::exchange(other.slots_, nullptr)), tenant_(std::move(other.tenant_)), spare_(other.spare_) {}
SlotLease::~SlotLease() {
  if (slots_ != nullptr) slots_->release(tenant_, spare_);
}

Slots::Slots(const asio::any_io_executor& executor, std::size_t count, std::size_t max_waiting, std::size_t max_spare)
    : executor_(executor), count_(count), max_waiting_(max_waiting), max_spare_(max_spare), idle_(executor) {}

void Slots::forget_if_idle(const std::string& tenant) {
  const auto found = lines_.find(tenant);
  if (found != lines_.end() && found->second.running == 0 && found->second.waiting.empty()) lines_.erase(found);
}

bool Slots::may_run(const Claim& claim) const {
  const auto found = lines_.find(claim.tenant);
  return claim.most == 0 || found == lines_.end() || found->second.running < claim.most;
}

// To be called whenever who stands first, or how many run, has changed.
void Slots::update_turn(Line& line) {
  if (line.turn) ready_.erase(*line.turn);
  line.turn.reset();
  if (line.waiting.empty() || !may_run(line.waiting.front()->claim)) return;
  line.turn = Turn{line.running, line.waiting.front()->arrival};
  ready_.emplace(*line.turn, &line);
}

void Slots::take_place(Line& line) {
  ++used_;
  ++line.running;
  update_turn(line);
}

void Slots::remove(Waiter& waiter) {
  Line& line = lines_[waiter.claim.tenant];
  line.waiting.remove(&waiter);
  --waiting_;
  update_turn(line);
}

// Whether one more of this line may wait.
bool Slots::make_room(const Line& newcomer) {
  if (waiting_ < max_waiting_) return true;
  const auto length = [&newcomer](const auto& entry) {
    return entry.second.waiting.size() + (&entry.second == &newcomer ? 1 : 0);
  };
  const auto longest = std::ranges::max_element(lines_, {}, length);
  if (longest == lines_.end() || length(*longest) <= newcomer.waiting.size() + 1) return false;
  Waiter& last = *longest->second.waiting.back();
  last.displaced = true;
  remove(last);
  last.timer.cancel();
  return true;
}

asio::awaitable<void> Slots::wait(Waiter& waiter, run::Cancellation& cancellation) {
  cancellation.on_cancel([&waiter] { waiter.timer.cancel(); });
  co_await waiter.timer.async_wait(asio::as_tuple(asio::use_awaitable));
  cancellation.on_cancel({});
}

asio::awaitable<base::Result<SlotLease>> Slots::acquire(Claim claim, std::chrono::milliseconds timeout,
                                                        run::Cancellation& cancellation) {
  if (closed_) co_return base::failure(base::Code::kPaused, kStep, "the daemon is stopping");
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, kStep, "cancelled");
  Line& line = lines_[claim.tenant];
  // While a place is free nobody waits who could use it.
  if (used_ < count_ && line.waiting.empty() && may_run(claim)) {
    take_place(line);
    co_return SlotLease(*this, std::move(claim.tenant), false);
  }
  if (!make_room(line)) {
    forget_if_idle(claim.tenant);
    co_return base::failure(base::Code::kExhausted, kStep, "too many jobs are waiting");
  }
  Waiter waiter(executor_, claim, ++arrivals_);
  waiter.timer.expires_after(timeout);
  line.waiting.push_back(&waiter);
  ++waiting_;
  update_turn(line);
  co_await wait(waiter, cancellation);
  if (waiter.granted) co_return SlotLease(*this, std::move(claim.tenant), false);
  base::Error error = why_not(waiter, timeout, cancellation);
  if (!waiter.displaced) remove(waiter);
  forget_if_idle(claim.tenant);
  grant();  // this one stands before nobody any longer
  co_return std::unexpected(std::move(error));
}

base::Error Slots::why_not(const Waiter& waiter, std::chrono::milliseconds timeout,
                           const run::Cancellation& cancellation) const {
  const auto because = [](base::Code code, std::string context) {
    return base::Error{std::string(kStep), code, 0, std::move(context)};
  };
  if (cancellation.cancelled()) return because(base::Code::kCancelled, "cancelled");
  if (closed_) return because(base::Code::kPaused, "the daemon is stopping");
  if (waiter.displaced) return because(base::Code::kExhausted, "too many jobs are waiting, most of them this tenant's");
  if (!may_run(waiter.claim)) {
    return because(base::Code::kOverQuota, "its tenant had " + std::to_string(waiter.claim.most) +
                                               " jobs running for " + std::to_string(timeout.count()) + " ms");
  }
  return because(base::Code::kExhausted, "no slot came free within " + std::to_string(timeout.count()) + " ms");
}

asio::awaitable<base::Result<SlotLease>> Slots::acquire_spare(Claim claim, run::Cancellation& cancellation) {
  if (closed_ || spare_held_) co_return no_spare();
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, kStep, "cancelled");
  // While a place is spare nobody waits for one who could use it.
  if (has_spare() && may_run(claim)) {
    take_place(lines_[claim.tenant]);
    ++used_spare_;
    co_return SlotLease(*this, std::move(claim.tenant), true);
  }
  Waiter waiter(executor_, claim, ++arrivals_);
  waiter.timer.expires_at(asio::steady_timer::time_point::max());
  spare_queue_.push_back(&waiter);
  co_await wait(waiter, cancellation);
  if (waiter.granted) co_return SlotLease(*this, std::move(claim.tenant), true);
  spare_queue_.remove(&waiter);
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, kStep, "cancelled");
  co_return no_spare();
}

std::unexpected<base::Error> Slots::no_spare() const {
  return base::failure(base::Code::kPaused, kStep, closed_ ? "the daemon is stopping" : "dispatch is paused");
}

bool Slots::has_spare() const {
  return !closed_ && !spare_held_ && ready_.empty() && used_ < count_ && used_spare_ < max_spare_;
}

std::size_t Slots::spare() const {
  if (closed_ || spare_held_) return 0;
  std::size_t waiting = 0;
  std::size_t parked = 0;
  std::size_t parked_bytes = 0;
  for (const Waiter* waiter : spare_queue_) {
    if (may_run(waiter->claim)) {
      ++waiting;
    } else {
      ++parked;
      parked_bytes += waiter->claim.bytes;
    }
  }
  if (parked >= kMaxParked || parked_bytes >= kMaxParkedBytes) return 0;
  const std::size_t places = has_spare() ? std::min(count_ - used_, max_spare_ - used_spare_) : 0;
  const std::size_t ahead = used_spare_ > 0 ? max_spare_ / 2 : 0;
  const bool worth_asking = waiting < places || 2 * waiting < ahead;
  return worth_asking ? places + ahead - waiting : 0;
}

void Slots::grant() {
  while (!closed_ && used_ < count_ && !ready_.empty()) {
    Line& line = *ready_.begin()->second;
    Waiter& next = *line.waiting.front();
    line.waiting.pop_front();
    --waiting_;
    next.granted = true;
    next.timer.cancel();
    take_place(line);
  }
  grant_spare();
}

void Slots::grant_spare() {
  for (auto place = spare_queue_.begin(); place != spare_queue_.end() && has_spare();) {
    Waiter& waiter = **place;
    if (!may_run(waiter.claim)) {
      ++place;
      continue;
    }
    place = spare_queue_.erase(place);
    waiter.granted = true;
    waiter.timer.cancel();
    take_place(lines_[waiter.claim.tenant]);
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

void Slots::release(const std::string& tenant, bool spare) {
  if (spare) --used_spare_;
  --used_;
  Line& line = lines_[tenant];
  --line.running;
  update_turn(line);
  forget_if_idle(tenant);
  grant();
  if (used_ == 0) idle_.cancel();
}

void Slots::close() {
  closed_ = true;
  for (auto& [tenant, line] : lines_) {
    for (Waiter* waiter : line.waiting) waiter->timer.cancel();
  }
  for (Waiter* waiter : spare_queue_) waiter->timer.cancel();
}

asio::awaitable<bool> Slots::wait_idle(std::chrono::milliseconds timeout) {
  idle_.expires_after(timeout);
  if (used_ > 0) co_await idle_.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return used_ == 0;
}

}  // namespace outrigger::pool
