#include "rules/differences.h"
#include "rules/evidence.h"
#include "rules/signals.h"
#include "rules/summary_facts.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

using model::Outcome;
using model::Status;

std::string ending_text(const std::optional<int>& exit_code, const std::optional<std::string>& signal) {
  return "exit code " + (exit_code ? std::to_string(*exit_code) : "null") + " and signal " + signal.value_or("null");
}

bool ended_by(const Outcome& outcome, const char* signal) {
  const auto number = signal_number(signal);
  return outcome.signal == signal && number && outcome.exit_code == kSignalBase + *number;
}

// The contract's table: which exit code and signal a status goes with.
bool ending_fits(const Outcome& outcome) {
  switch (outcome.status) {
    case Status::kCompleted: return outcome.exit_code == 0 && !outcome.signal;
    case Status::kFailed: return outcome.exit_code && *outcome.exit_code != 0 && !outcome.signal;
    case Status::kTimeout:
    case Status::kMemoryExceeded:
    case Status::kCancelled: return ended_by(outcome, "SIGKILL");
    case Status::kCpuExceeded: return ended_by(outcome, "SIGXCPU");
    case Status::kSecurityViolation: return ended_by(outcome, "SIGSYS");
    case Status::kSignaled: return outcome.signal && ended_by(outcome, outcome.signal->c_str());
    case Status::kInternalError:
    case Status::kInterrupted: return !outcome.exit_code && !outcome.signal;
  }
  return true;
}

void compare_ending(const Outcome& outcome, Differences& found) {
  if (ending_fits(outcome)) return;
  found.add("its status is " + std::string(model::status_name(outcome.status)) + " with " +
                ending_text(outcome.exit_code, outcome.signal),
            {status_fact(outcome), exit_code_fact(outcome), signal_fact(outcome)});
}

void compare_memory(const wire::Termination& summary, Differences& found) {
  const auto& kills = summary.outcome.usage.oom_kills;
  if (summary.outcome.status == Status::kMemoryExceeded && kills.value_or(0) == 0) {
    found.add("its status is memory_exceeded, and it counts no OOM kill",
              {status_fact(summary.outcome), fact_if("summary.oom_kills", kills)});
  }
  const auto& triggered = summary.cgroup_oom_triggered;
  if (triggered && kills && *triggered != (*kills > 0)) {
    found.add(std::string("it says cgroup_oom_triggered ") + (*triggered ? "true" : "false") + " with " +
                  count_text(*kills, "OOM kill"),
              {fact_if("summary.cgroup_oom_triggered", triggered), fact_if("summary.oom_kills", kills)});
  }
}

}  // namespace

void compare_within(const wire::Termination& summary, Differences& found) {
  const Outcome& outcome = summary.outcome;
  compare_ending(outcome, found);
  compare_memory(summary, found);
  if (outcome.status == Status::kSecurityViolation && violation_of(outcome) == nullptr) {
    found.add("its status is security_violation, and it names no system call", {status_fact(outcome)});
  }
  if (outcome.ended_at < outcome.started_at) {
    const auto back = std::chrono::duration_cast<std::chrono::microseconds>(outcome.started_at - outcome.ended_at);
    found.add("it ended " + time_text(back) + " before it started",
              {{"ended_before_start_usec", static_cast<std::uint64_t>(back.count())}});
  }
}

}  // namespace outrigger::rules
