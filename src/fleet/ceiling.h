#pragma once

#include <chrono>
#include <optional>

// What is kept in check for all jobs together.
namespace outrigger::fleet {

struct CeilingOptions {
  double pause_at = 0.65;      // share of the host's memory
  double resume_below = 0.60;  // lower, so that a fleet at the ceiling does not flicker
  std::chrono::milliseconds between_changes{10'000};
};

// A pause of ours as it stands.
struct OwnPause {
  bool in_force = false;
  std::optional<std::chrono::steady_clock::time_point> changed_at;  // when it came into force or ended
};

// Whether dispatch should be paused now by us, all jobs together holding this share of the host's memory. It knows
// nothing but what it is told: an order that did not reach the daemon is simply given again.
bool wants_pause(double share, const OwnPause& pause, std::chrono::steady_clock::time_point now,
                 const CeilingOptions& options);

}  // namespace outrigger::fleet
