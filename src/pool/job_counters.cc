#include "pool/job_counters.h"

#include <algorithm>

namespace outrigger::pool {
namespace {

using std::chrono::microseconds;

// Close together where jobs are: bare interpreters take tens of milliseconds. 6 is there for those that the default
// wall clock of 5 s has ended, which took a few milliseconds more.
constexpr auto kDurations =
    std::to_array({0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 6.0, 10.0, 30.0, 60.0});
constexpr auto kQueueTimes = std::to_array({0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0});
constexpr auto kOverheads =
    std::to_array({0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0});

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void Histogram::observe(microseconds value) {
  const double seconds = static_cast<double>(value.count()) / 1e6;
  const auto bound = std::ranges::lower_bound(bounds_, seconds);
  ++counts_.at(static_cast<std::size_t>(bound - bounds_.begin()));
  sum_ += value;
}

// The other ends have a histogram once there was one: 17 numbers for each that never comes would drown the page.
JobCounters::Language::Language() : durations{{model::Status::kCompleted, Histogram(kDurations)}} {}

JobCounters::JobCounters(std::span<const model::Runtime* const> runtimes) : queue(kQueueTimes), overhead(kOverheads) {
  for (const model::Runtime* runtime : runtimes) languages.try_emplace(runtime->name);
  for (const std::string_view type : model::kSecurityEventTypes) security_events.emplace(type, 0);
}

void JobCounters::add(const std::string& runtime, const model::Outcome& outcome, microseconds elapsed,
                      model::Origin origin) {
  Language& language = languages[runtime];
  ++language.by_status.at(static_cast<std::size_t>(outcome.status));
  if (origin == model::Origin::kDirect) queue.observe(outcome.queue_time);
  // Where no program ran there is no time of its own, and 0 would pass for a fast one.
  if (outcome.status != model::Status::kInternalError) {
    language.durations.try_emplace(outcome.status, kDurations).first->second.observe(outcome.wall_time);
    overhead.observe(std::max(elapsed - outcome.queue_time - outcome.wall_time, microseconds{0}));
  }
  for (const model::SecurityEvent& event : outcome.security_events) {
    ++security_events[event.type];
    if (!event.syscall.empty()) seccomp_violations[std::string(bounded_syscall(event.syscall))] += event.count;
  }
  oom_kills += outcome.usage.oom_kills.value_or(0);
}

std::string_view bounded_syscall(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  const std::string_view last = colon == std::string_view::npos ? name : name.substr(colon + 1);
  return last.empty() || is_digit(last.front()) ? "other" : name;
}

}  // namespace outrigger::pool
