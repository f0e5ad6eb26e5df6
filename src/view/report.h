#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/finding.h"

// What the auditor shows: the running jobs and all of them together, at one moment. Plain data, from which a table, a
// live screen and JSON are made.
namespace outrigger::view {

// The last minute of one job, a mark a second at most, each from 0 to 100; the newest last. Fixed in size: there may be
// ten thousand of them.
class History {
 public:
  static constexpr std::size_t kMarks = 60;

  void add(std::uint8_t mark) {
    marks_[next_] = mark;
    next_ = (next_ + 1) % kMarks;
    if (size_ < kMarks) ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint8_t at(std::size_t index) const { return marks_[(next_ + kMarks - size_ + index) % kMarks]; }

 private:
  std::array<std::uint8_t, kMarks> marks_{};
  std::size_t next_ = 0;
  std::size_t size_ = 0;
};

// Percent of the memory ceiling, of the CPU quota, and throttling.
struct JobHistory {
  History memory;
  History cpu;
  History throttling;
};

// Absent is what the kernel did not offer.
struct JobRow {
  std::string job_id;
  std::string tenant_id;
  std::string language;
  std::chrono::milliseconds age{0};
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> memory_limit_bytes;
  std::optional<std::uint64_t>
      cpu_usage_usec;               // as the kernel counts it: a jail kept warm had used some before its job
  std::optional<double> cpu_cores;  // used in the last interval
  std::optional<double> throttling_percent;
  std::optional<std::uint64_t> pids;        // as the kernel counts them: the jail's own init is one
  std::optional<std::uint64_t> pids_limit;  // what the job was granted; its init comes on top
  std::optional<std::uint64_t> oom_kills;
  std::vector<rules::Finding> findings;
  JobHistory history;
};

struct FleetRow {
  std::uint64_t sandbox_memory_bytes = 0;          // of all jobs together
  std::optional<std::uint64_t> working_set_bytes;  // of that, without what the kernel could drop at once
  std::optional<std::uint64_t> host_memory_bytes;
  std::optional<double> share;  // of the host's memory: 0.65 is 65 %
  double ceiling = 0.65;
  std::optional<bool> dispatch_paused;  // absent: the daemon did not say
  bool own_pause = false;               // dispatch is paused by an auditor, for the ceiling
  std::string dispatch_reason;
  std::string trouble;  // why the daemon did not say
};

struct Report {
  std::vector<JobRow> jobs;
  FleetRow fleet;
  std::string driver;  // "v2", "v1"; empty: no group has been found yet
};

enum class Order : std::uint8_t { kMemory, kCpu, kThrottling, kAge };

// The largest first; those without a figure last.
void sort_jobs(std::vector<JobRow>& jobs, Order order);

// Whether there is anything to be told: a job's finding, a fleet at its ceiling, a daemon that can't be reached.
bool has_findings(const Report& report);

// One JSON object without a newline (contract, section 7).
std::string to_json(const Report& report);

}  // namespace outrigger::view
