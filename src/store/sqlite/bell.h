#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace outrigger::store::sqlite {

// Wakes the one thread that waits for work. What rings while nobody waits is not lost.
class Bell {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // There is something to look at.
  void ring();
  // Ends the wait that is going on, and the round after it too; where none is going on, the next round.
  void interrupt();

  // At the beginning of a round, before looking: false where it is to end at once.
  bool begin_round();
  // After a look that found nothing. False where the round is to end: interrupted, or `deadline` has passed.
  bool wait(Deadline deadline);

 private:
  bool take_interrupt();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool rung_ = false;
  bool waiting_ = false;
  int interrupts_ = 0;
};

}  // namespace outrigger::store::sqlite
