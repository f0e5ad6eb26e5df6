#include "rules/autopsy.h"
#include "rules/evidence.h"
#include "rules/summary_facts.h"

namespace outrigger::rules {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

void add_summary(const DeathScene& scene, Evidence& all) {
  const model::Outcome& outcome = scene.summary.outcome;
  const model::Usage& usage = outcome.usage;
  all.push_back(status_fact(outcome));
  all.push_back(exit_code_fact(outcome));
  all.push_back(signal_fact(outcome));
  all.push_back({"summary.runtime_ms", static_cast<double>(outcome.wall_time.count()) / 1000});
  all.push_back(fact_if("summary.oom_kills", usage.oom_kills));
  all.push_back(fact_if("summary.memory_max_events", usage.memory_limit_hits));
  all.push_back(fact_if("summary.peak_memory_bytes", usage.peak_memory_bytes));
  all.push_back(fact_if("summary.cpu_usage_usec", usage.cpu_time));
  if (const model::SecurityEvent* violation = violation_of(outcome)) {
    all.push_back({"summary.syscall", violation->syscall});
  }
}

void add_readings(const DeathScene& scene, Evidence& all) {
  const probe::Reading none;
  const probe::Reading& last = scene.last != nullptr ? *scene.last : none;
  all.push_back(fact("reading.oom_kills", last.oom_kills));
  all.push_back(fact("reading.ooms", last.ooms));
  all.push_back(fact("reading.memory_limit_hits", last.memory_limit_hits));
  all.push_back(fact("reading.memory_peak_bytes", last.memory_peak_bytes));
  all.push_back(fact("reading.memory_limit_bytes", last.memory_limit_bytes));
  all.push_back(fact_if("reading.cpu_used_usec", cpu_watched(scene)));
  all.push_back({"reading.observed_ms", static_cast<double>(watched(scene).count()) / 1000});
  all.push_back({"reading.after_the_end", scene.last_is_final});
  all.push_back(fact_if("ancestor_ooms", scene.ancestor_ooms));
}

void add_limits(const DeathScene& scene, Evidence& all) {
  const auto limit = [&](auto member) {
    return scene.card != nullptr ? std::optional(scene.card->limits.*member) : std::nullopt;
  };
  all.push_back(fact_if("limit.memory_bytes", limit(&model::Limits::memory_bytes)));
  all.push_back(fact_if("limit.wall_time_ms", limit(&model::Limits::wall_time)));
  all.push_back(fact_if("limit.cpu_time_ms", limit(&model::Limits::cpu_time)));
}

}  // namespace

Evidence evidence_of(const DeathScene& scene) {
  Evidence all;
  add_summary(scene, all);
  add_readings(scene, all);
  add_limits(scene, all);
  return all;
}

microseconds watched(const DeathScene& scene) {
  if (scene.first == nullptr || scene.last == nullptr || scene.last->at < scene.first->at) return microseconds{0};
  return std::chrono::duration_cast<microseconds>(scene.last->at - scene.first->at);
}

std::optional<microseconds> cpu_watched(const DeathScene& scene) {
  if (scene.first == nullptr || scene.last == nullptr) return std::nullopt;
  const auto used = rise(scene.first->cpu_usage_usec, scene.last->cpu_usage_usec);
  return used ? std::optional(microseconds(*used)) : std::nullopt;
}

}  // namespace outrigger::rules
