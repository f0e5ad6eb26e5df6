#include "jailer/restart_pace.h"

#include <algorithm>

namespace outrigger::jailer {
namespace {

using namespace std::chrono_literals;

constexpr auto kOfUse = 1s;
constexpr std::uint32_t kAtOnce = 3;
constexpr auto kFirstPause = 250ms;
constexpr auto kLongestPause = 8s;

}  // namespace

std::chrono::milliseconds RestartPace::after(std::chrono::steady_clock::duration served) {
  if (served >= kOfUse) {
    failed_in_a_row_ = 0;
    return 0ms;
  }
  if (++failed_in_a_row_ <= kAtOnce) return 0ms;
  std::chrono::milliseconds pause = kFirstPause;
  for (std::uint32_t doublings = failed_in_a_row_ - kAtOnce; doublings > 1 && pause < kLongestPause; --doublings)
    pause *= 2;
  return std::min<std::chrono::milliseconds>(pause, kLongestPause);
}

}  // namespace outrigger::jailer
