#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/finding.h"
#include "rules/sight.h"

namespace outrigger::rules {

// What was found to be contradictory, with the values of both sides; each fact once.
class Differences {
 public:
  void add(std::string text, Evidence facts);
  [[nodiscard]] bool any() const { return !texts_.empty(); }
  [[nodiscard]] std::string text() const;  // all of them, in one line
  [[nodiscard]] const Evidence& evidence() const { return evidence_; }

 private:
  std::vector<std::string> texts_;
  Evidence evidence_;
};

// The most the auditor has read of one run, kept over its readings.
struct Observed {
  std::optional<sys::CgroupVersion> version;  // absent: never seen alive
  std::uint64_t oom_kills = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t pids = 0;
  std::uint64_t pids_limit_hits = 0;
  std::optional<std::uint64_t> cpu_used_usec;  // between the first and the last reading: the job used that at least

  void take(const probe::Reading* first, const probe::Reading& now);
};

// The summary against itself.
void compare_within(const wire::Termination& summary, Differences& found);
// Against the card; only where it was seen.
void compare_with_card(const wire::Termination& summary, const Subject& card, Differences& found);
// Against the auditor's readings. What the summary leaves open is not compared, save for OOM kills.
void compare_with_readings(const wire::Termination& summary, const Observed& observed, Differences& found);

// Less than a limit by more than clocks, or a watchdog that strikes at its first chance, can explain.
bool clearly_below(std::chrono::microseconds time, std::chrono::microseconds limit);

}  // namespace outrigger::rules
