#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/outcome.h"
#include "model/runtime.h"

namespace outrigger::pool {

// How long things took, as counts between fixed bounds.
class Histogram {
 public:
  // `bounds`: ascending, in seconds, of static storage.
  explicit Histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

  void observe(std::chrono::microseconds value);

  [[nodiscard]] std::span<const double> bounds() const { return bounds_; }
  // counts()[i]: values above bounds()[i - 1] and up to bounds()[i], that one included; the last: above all bounds.
  [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }
  [[nodiscard]] std::chrono::microseconds sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  std::chrono::microseconds sum_{0};
};

// What has become of all jobs since the start. Every key comes from a list that no caller can lengthen: the configured
// runtimes, model::Status, our own event types, libseccomp's names.
struct JobCounters {
  struct Language {
    Language();
    std::array<std::uint64_t, model::kStatusCount> by_status{};  // by the Status's number
    std::map<model::Status, Histogram> durations;                // wall time; without internal errors
  };

  // Each runtime begins with zeros, so that a first job is seen as a rise.
  explicit JobCounters(std::span<const model::Runtime* const> runtimes = {});

  // Counts a job that had a slot. `runtime` is its runtime's own name; `elapsed` goes from its arrival to its answer.
  // A queued job waits for other things than a slot, and is not counted among those that do.
  void add(const std::string& runtime, const model::Outcome& outcome, std::chrono::microseconds elapsed,
           model::Origin origin = model::Origin::kDirect);

  std::map<std::string, Language> languages;
  Histogram queue;     // arrival to slot
  Histogram overhead;  // what was neither waiting for a slot nor the program's own time; without internal errors
  std::map<std::string, std::uint64_t, std::less<>> security_events;     // by type: entries, not their counts
  std::map<std::string, std::uint64_t, std::less<>> seccomp_violations;  // by system call: its calls
  std::uint64_t oom_kills = 0;
  std::uint64_t exhausted = 0;  // jobs that got no slot
};

// The system call's name where libseccomp has one; "other" where the guest made the number up, of which it has four
// billion.
std::string_view bounded_syscall(std::string_view name);

}  // namespace outrigger::pool
