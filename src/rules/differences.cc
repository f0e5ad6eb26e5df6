#include "rules/differences.h"

#include <algorithm>

#include "rules/evidence.h"

namespace outrigger::rules {

void Differences::add(std::string text, Evidence facts) {
  texts_.push_back(std::move(text));
  for (Fact& each : facts) {
    const bool there = std::ranges::any_of(evidence_, [&](const Fact& one) { return one.name == each.name; });
    if (!there) evidence_.push_back(std::move(each));
  }
}

std::string Differences::text() const {
  std::string all;
  for (const std::string& each : texts_) all += (all.empty() ? "" : "; ") + each;
  return all;
}

void Observed::take(const probe::Reading* first, const probe::Reading& now) {
  version = now.version;
  oom_kills = std::max(oom_kills, now.oom_kills.value_or(0));
  memory_bytes = std::max({memory_bytes, now.memory_bytes.value_or(0), now.memory_peak_bytes.value_or(0)});
  pids = std::max({pids, now.pids.value_or(0), now.pids_peak.value_or(0)});
  pids_limit_hits = std::max(pids_limit_hits, now.pids_limit_hits.value_or(0));
  if (first == nullptr) return;
  if (const auto used = rise(first->cpu_usage_usec, now.cpu_usage_usec)) {
    cpu_used_usec = std::max(cpu_used_usec.value_or(0), *used);
  }
}

bool clearly_below(std::chrono::microseconds time, std::chrono::microseconds limit) {
  const auto slack = std::max<std::chrono::microseconds>(std::chrono::milliseconds(50), limit / 10);
  return time + slack < limit;
}

}  // namespace outrigger::rules
