#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "probe/places.h"

namespace outrigger::probe {

// What perf_event_open(2) is to count for a group.
enum class CycleEvent : std::uint8_t {
  kCpuCycles,  // the processor's own counter, user and kernel mode
  kTaskClock,  // nanoseconds on a CPU by the kernel's clock: there where no hardware counts, as in most virtual
               // machines
};

// Whether the jobs' groups can be counted: in the directory of which controller, for the groups must be in the
// hierarchy that perf_event is in, which is the unified one if it is in none of v1. Error: kUnsupported, whose context
// is a sentence that says why not ("this machine has no hardware cycle counter").
base::Result<sys::Controller> find_cycle_counting(const Places& places, CycleEvent event = CycleEvent::kCpuCycles);

// What a group uses from now on, by one counter on each CPU that is online now (perf_event_open(2),
// PERF_FLAG_PID_CGROUP): as many descriptors, and a little work at every switch of a process, for as long as it lives.
// Groups below it count.
class CycleCounter {
 public:
  // `group_dir`: its directory in the hierarchy of perf_event, open for reading; not kept. Errors: kUnsupported (no
  // such counter here), kExhausted (no descriptors left), kSystem.
  static base::Result<CycleCounter> open(int group_dir, CycleEvent event = CycleEvent::kCpuCycles);

  // Since open(). Where counters had to be shared with other users, scaled up from the time they counted, as perf(1)
  // does. Nothing where one could not be read or never got its turn though the group ran.
  [[nodiscard]] std::optional<std::uint64_t> read() const;

 private:
  std::vector<base::UniqueFd> cpus_;
};

}  // namespace outrigger::probe
