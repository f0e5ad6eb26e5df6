#include "rules/autopsy.h"
#include "rules/differences.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

using model::Outcome;
using std::chrono::microseconds;

// The auditor's first reading comes after the start and its last before the end: this much of a limit is proof.
constexpr double kProof = 0.9;

bool proves(microseconds seen, microseconds limit) {
  return static_cast<double>(seen.count()) >= kProof * static_cast<double>(limit.count());
}

std::string of_limit(microseconds used, const std::optional<microseconds>& limit) {
  return time_text(used) + (limit ? " of " + time_text(*limit) : "");
}

}  // namespace

CauseOfDeath cause_of_watchdog(const DeathScene& scene) {
  const Outcome& outcome = scene.summary.outcome;
  const auto limit = scene.card != nullptr ? std::optional<microseconds>(scene.card->limits.wall_time) : std::nullopt;
  CauseOfDeath cause =
      reported("wall_clock", "killed by the daemon's watchdog after " + of_limit(outcome.wall_time, limit));
  if (!limit) return cause;
  if (clearly_below(outcome.wall_time, *limit)) {
    cause.confidence = Confidence::kConflict;
    cause.text += ", before its time was up";
  } else if (proves(watched(scene), *limit)) {
    cause.confidence = Confidence::kCertain;
  }
  return cause;
}

// By RLIMIT_CPU of one process, or by the group's total. Any process may send itself SIGXCPU.
CauseOfDeath cause_of_cpu_time(const DeathScene& scene) {
  const Outcome& outcome = scene.summary.outcome;
  const auto& used = outcome.usage.cpu_time;
  const auto limit = scene.card != nullptr ? std::optional<microseconds>(scene.card->limits.cpu_time) : std::nullopt;
  CauseOfDeath cause = reported("cpu_time", "ended at its limit of CPU time");
  if (used) cause.text += ", after " + of_limit(*used, limit);
  if (!limit) return cause;
  const auto seen = cpu_watched(scene);
  if (seen && proves(*seen, *limit)) {
    cause.confidence = Confidence::kCertain;
  } else if (used && clearly_below(*used, *limit)) {
    const bool by_signal = outcome.signal == "SIGXCPU";
    cause.text = by_signal ? "ended by SIGXCPU after only " + of_limit(*used, limit) +
                                 " of CPU time: a process may have sent it to itself"
                           : cause.text + ", before that was used up";
    if (!by_signal) cause.confidence = Confidence::kConflict;
  }
  // What the kernel counted after the end includes what the jail used before its job.
  const bool total_read = scene.last_is_final && scene.last != nullptr && scene.last->cpu_usage_usec;
  if (used && total_read && clearly_below(microseconds(*scene.last->cpu_usage_usec), *used)) {
    cause.confidence = Confidence::kConflict;
    cause.text += "; the auditor read " + time_text(microseconds(*scene.last->cpu_usage_usec)) + " after the end";
  }
  return cause;
}

}  // namespace outrigger::rules
