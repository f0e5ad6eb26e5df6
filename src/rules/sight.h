#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "model/limits.h"
#include "probe/members.h"
#include "probe/reading.h"
#include "wire/termination.h"

namespace outrigger::rules {

// The job that is looked at; of static content while it lives.
struct Subject {
  std::string job_id;
  std::string tenant_id;
  std::string language;
  model::Limits limits;  // as its card says; what the kernel enforces is in the readings
  std::chrono::system_clock::time_point started_at;
};

// The processes in a job's group, as /proc shows them.
using Members = probe::MemberList;

// What is known of one job at one moment. Pointers are null where there is nothing; what they point to outlives the
// call they are passed to, not more.
struct Sight {
  const Subject& job;
  bool ended = false;                      // its summary is there, or its card is gone
  bool scheduled = true;                   // at the end of an interval; false: in between, since something happened
  std::chrono::milliseconds since_end{0};  // where it has ended
  std::chrono::milliseconds observed{0};   // from the first reading to `now`
  const probe::Reading* first = nullptr;   // of this run
  const probe::Reading* before = nullptr;  // the end of the interval before
  const probe::Reading* now = nullptr;     // null: the group is gone, or was never seen
  // From `before` to `now`; absent: idle, not available, or a counter fell.
  std::optional<double> throttling_percent = std::nullopt;
  const Members* members = nullptr;  // null: not looked at this time
  const wire::Termination* summary = nullptr;
};

// 100 * throttled / (used + throttled) between two readings of one group (contract, section 7).
std::optional<double> throttling_percent(const probe::Reading& before, const probe::Reading& now);

}  // namespace outrigger::rules
