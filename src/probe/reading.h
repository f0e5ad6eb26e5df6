#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sys/cgroup.h"

namespace outrigger::probe {

// Why a figure is not known. Never stands for a zero.
enum class Absence : std::uint8_t {
  kNotRead,    // nobody asked for it, or not in this reading
  kNoFile,     // this kernel, version or controller has no such file
  kNoKey,      // the file has no such key
  kMalformed,  // there is something else than a number
  kNoLimit,    // "max": a limit that is none
  kDenied,     // the kernel refused to show it
};
std::string_view absence_text(Absence absence);  // "this kernel has no such file"

// One number the kernel gave, or why it gave none.
class Figure {
 public:
  Figure() = default;
  explicit(false) Figure(std::uint64_t value) : value_(value), known_(true) {}
  explicit(false) Figure(Absence absence) : absence_(absence) {}

  explicit operator bool() const { return known_; }
  [[nodiscard]] std::uint64_t operator*() const { return value_; }
  [[nodiscard]] std::uint64_t value_or(std::uint64_t otherwise) const { return known_ ? value_ : otherwise; }
  [[nodiscard]] Absence absence() const { return absence_; }  // only where it is not known
  [[nodiscard]] std::optional<std::uint64_t> optional() const {
    return known_ ? std::optional<std::uint64_t>(value_) : std::nullopt;
  }

 private:
  std::uint64_t value_ = 0;
  Absence absence_ = Absence::kNotRead;
  bool known_ = false;
};

// What the kernel has counted for one group, and what it allows it, at one moment. Units are the same on both versions
// (kernel: Documentation/admin-guide/cgroup-v2.rst; cgroup-v1/memory.rst, cpuacct.rst, pids.rst): bytes, microseconds.
struct Reading {
  sys::CgroupVersion version = sys::CgroupVersion::kV2;
  std::chrono::steady_clock::time_point at;

  Figure memory_bytes;        // v2 memory.current; v1 memory.usage_in_bytes
  Figure memory_peak_bytes;   // v2 memory.peak; v1 memory.max_usage_in_bytes
  Figure memory_limit_bytes;  // v2 memory.max; v1 memory.limit_in_bytes (the highest number there is: kNoLimit)
  Figure memory_limit_hits;   // v2 memory.events "max"; v1 memory.failcnt + memory.memsw.failcnt: 0 proves nothing
  Figure ooms;                // v2 memory.events.local "oom": this group's own ceiling could not be kept; v1 has none
  Figure oom_kills;       // v2 memory.events "oom_kill"; v1 memory.oom_control "oom_kill": kills here, whosever ceiling
  Figure cpu_usage_usec;  // v2 cpu.stat usage_usec; v1 cpuacct.usage (ns)
  Figure throttled_usec;  // v2 cpu.stat throttled_usec; v1 cpu.stat throttled_time (ns)
  Figure periods;         // cpu.stat nr_periods
  Figure throttled_periods;         // cpu.stat nr_throttled
  Figure cpu_quota_usec;            // per period; v2 cpu.max; v1 cpu.cfs_quota_us (-1: kNoLimit)
  Figure cpu_period_usec;           // v2 cpu.max; v1 cpu.cfs_period_us
  Figure pids;                      // pids.current
  Figure pids_peak;                 // pids.peak
  Figure pids_limit;                // pids.max
  Figure pids_limit_hits;           // pids.events "max": forks refused
  Figure memory_stalled_permyriad;  // v2 memory.pressure "some avg10", in hundredths of a percent, where PSI is on
};

}  // namespace outrigger::probe
