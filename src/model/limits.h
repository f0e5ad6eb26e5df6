#pragma once

#include <chrono>
#include <cstdint>

namespace outrigger::model {

// What one job may use. The defaults are also the ceilings, unless the operator's configuration raises those.
struct Limits {
  std::chrono::milliseconds wall_time{5000};
  // Per process by RLIMIT_CPU (whole seconds, rounded up); over the whole job by the cgroup's total.
  std::chrono::milliseconds cpu_time{5000};
  std::uint64_t memory_bytes = 128ULL << 20;  // no swap; the jail's tmpfs counts towards it
  double cpu_cores = 0.5;                     // CFS bandwidth over a period of 100 ms
  std::uint32_t pids = 32;                    // tasks, threads included; the jail's own init is counted beside them
  std::uint64_t output_bytes = 512ULL << 10;  // of stdout and of stderr, each
  std::uint64_t tmpfs_bytes = 16ULL << 20;

  friend bool operator==(const Limits&, const Limits&) = default;
};

}  // namespace outrigger::model
