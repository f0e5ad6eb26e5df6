#include "rules/death.h"

#include <csignal>

#include "rules/autopsy.h"
#include "rules/ceiling.h"
#include "rules/signals.h"
#include "rules/summary_facts.h"

namespace outrigger::rules {
namespace {

using model::Outcome;
using model::Status;

CauseOfDeath by_sigsys(const Outcome& outcome) {
  if (const model::SecurityEvent* violation = violation_of(outcome)) {
    const std::string name = violation->syscall.empty() ? "of unknown name" : violation->syscall;
    return reported("seccomp", "ended at the blocked system call " + name);
  }
  CauseOfDeath cause = reported("signal", "ended by SIGSYS, and no blocked system call is named");
  if (outcome.status == Status::kSecurityViolation) cause.confidence = Confidence::kConflict;
  return cause;
}

// The signal's number; of a summary without its name, what its exit code is a code for.
std::optional<int> signal_of(const Outcome& outcome) {
  if (outcome.signal) return signal_number(*outcome.signal);
  if (outcome.exit_code && *outcome.exit_code > kSignalBase) return *outcome.exit_code - kSignalBase;
  return std::nullopt;
}

CauseOfDeath by_signal(const DeathScene& scene) {
  const Outcome& outcome = scene.summary.outcome;
  const auto signal = signal_of(outcome);
  const std::string name = signal ? signal_name(*signal) : outcome.signal.value_or("a signal without a name");
  switch (signal.value_or(0)) {
    case SIGKILL: return cause_of_kill(scene);
    case SIGXCPU: return cause_of_cpu_time(scene);
    case SIGSYS: return by_sigsys(outcome);
    case SIGSEGV:
    case SIGBUS: return reported("illegal_memory_access", "ended by " + name + ": illegal memory access");
    default: return reported("signal", "ended by " + name);
  }
}

CauseOfDeath by_exit(const DeathScene& scene) {
  const Outcome& outcome = scene.summary.outcome;
  const bool success = outcome.status == Status::kCompleted;
  const int code = outcome.exit_code.value_or(-1);
  CauseOfDeath cause = reported("exited", "exited with status " + (code < 0 ? "unknown" : std::to_string(code)));
  if (code > kSignalBase) cause.text += ", by itself: the number proves no signal";
  const MemoryKills kills = memory_kills(scene.last, &scene.summary, std::nullopt);
  if (kills.count > 0) cause.text += "; the kernel killed for memory in its group, but not its main process";
  const auto& told = outcome.usage.oom_kills;
  const bool hidden_kill = code == kSignalBase + SIGKILL && kills.by_reading && told && *told < kills.count;
  if (outcome.signal || !outcome.exit_code || success != (code == 0) || hidden_kill) {
    cause.confidence = Confidence::kConflict;
    cause.text += "; the evidence does not fit together";
  }
  return cause;
}

// The daemon's own word, where there is no other witness.
CauseOfDeath as_told(const Outcome& outcome, std::string code, std::string text) {
  if (!outcome.cause.text.empty()) text += ": " + outcome.cause.text;
  return reported(std::move(code), std::move(text));
}

CauseOfDeath by_status(const DeathScene& scene) {
  const Outcome& outcome = scene.summary.outcome;
  switch (outcome.status) {
    case Status::kCompleted:
    case Status::kFailed: return by_exit(scene);
    case Status::kTimeout: return cause_of_watchdog(scene);
    case Status::kCpuExceeded: return cause_of_cpu_time(scene);
    case Status::kMemoryExceeded: return cause_of_kill(scene);
    case Status::kSecurityViolation: return by_sigsys(outcome);
    case Status::kSignaled: return by_signal(scene);
    case Status::kCancelled: return as_told(outcome, "cancelled", "cancelled");
    case Status::kInterrupted:
      return reported("interrupted", "the daemon died while it ran, and what became of it is not known");
    case Status::kInternalError: break;
  }
  const std::string& step = outcome.cause.code;
  return as_told(outcome, step.empty() ? "internal_error" : step, "the daemon failed");
}

}  // namespace

std::string_view confidence_name(Confidence confidence) {
  switch (confidence) {
    case Confidence::kCertain: return "certain";
    case Confidence::kReported: return "reported";
    case Confidence::kConflict: return "conflict";
  }
  return "conflict";
}

CauseOfDeath cause_of_death(const DeathScene& scene) {
  CauseOfDeath cause = by_status(scene);
  cause.evidence = evidence_of(scene);
  return cause;
}

}  // namespace outrigger::rules
