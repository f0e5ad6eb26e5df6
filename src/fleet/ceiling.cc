#include "fleet/ceiling.h"

namespace outrigger::fleet {

bool wants_pause(double share, const OwnPause& pause, std::chrono::steady_clock::time_point now,
                 const CeilingOptions& options) {
  if (pause.changed_at && now - *pause.changed_at < options.between_changes) return pause.in_force;
  return pause.in_force ? share >= options.resume_below : share >= options.pause_at;
}

}  // namespace outrigger::fleet
