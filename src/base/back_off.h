#pragma once

#include <algorithm>
#include <chrono>

namespace outrigger::base {

// How long to wait before the next try of what is away: doubled from a tenth of a second up to five.
class BackOff {
 public:
  std::chrono::milliseconds next() {
    const auto now = wait_;
    wait_ = std::min(wait_ * 2, kLongest);
    return now;
  }
  void reset() { wait_ = kFirst; }

 private:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::milliseconds kLongest{5000};
  std::chrono::milliseconds wait_ = kFirst;
};

}  // namespace outrigger::base
