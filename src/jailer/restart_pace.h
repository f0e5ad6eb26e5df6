#pragma once

#include <chrono>
#include <cstdint>

namespace outrigger::jailer {

// How soon a jailer is followed by the next: at once, unless several in a row were of no use. Then ever more slowly,
// but it never gives up: what ails the machine may pass.
class RestartPace {
 public:
  // The time to wait after one that served for so long; 0 where it could not even start.
  std::chrono::milliseconds after(std::chrono::steady_clock::duration served);

  // How many in a row were of no use.
  [[nodiscard]] std::uint32_t failed_in_a_row() const { return failed_in_a_row_; }

 private:
  std::uint32_t failed_in_a_row_ = 0;
};

}  // namespace outrigger::jailer
