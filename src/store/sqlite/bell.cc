#include "store_sqlite/bell.h"

#include <algorithm>

namespace outrigger::store::sqlite {
namespace {

// What others than this object's user have changed rings no bell here.
constexpr std::chrono::seconds kLookAgain{1};

}  // namespace

void Bell::ring() {
  {
    const std::lock_guard lock(mutex_);
    rung_ = true;
  }
  changed_.notify_one();
}

void Bell::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    interrupts_ = std::max(interrupts_, waiting_ ? 2 : 1);
  }
  changed_.notify_one();
}

bool Bell::begin_round() {
  const std::lock_guard lock(mutex_);
  rung_ = false;
  return !take_interrupt();
}

bool Bell::wait(Deadline deadline) {
  const Deadline look = std::min(deadline, std::chrono::steady_clock::now() + kLookAgain);
  std::unique_lock lock(mutex_);
  waiting_ = true;
  changed_.wait_until(lock, look, [this] { return rung_ || interrupts_ > 0; });
  waiting_ = false;
  if (take_interrupt()) return false;
  const bool go_on = rung_ || std::chrono::steady_clock::now() < deadline;
  rung_ = false;
  return go_on;
}

bool Bell::take_interrupt() {
  if (interrupts_ == 0) return false;
  --interrupts_;
  return true;
}

}  // namespace outrigger::store::sqlite
