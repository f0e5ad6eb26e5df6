#include "run/verdict.h"

#include <algorithm>

#include <sys/wait.h>

#include <csignal>

#include "base/format.h"
#include "run/signal_names.h"

namespace outrigger::run {
namespace {

using model::Cause;
using model::SecurityEvent;
using model::Status;

constexpr int kSignalBase = 128;  // a shell's $? after death by signal n is 128 + n

std::string millis(std::chrono::milliseconds time) { return std::to_string(time.count()) + " ms"; }

std::string text_of(std::optional<std::chrono::microseconds> time) {
  if (!time) return "unknown";
  return std::to_string(time->count() / 1000) + " ms";
}

std::string bytes(std::optional<std::uint64_t> count) { return count ? std::to_string(*count) + " bytes" : "unknown"; }

std::uint64_t oom_kills(const Evidence& evidence) { return evidence.usage.oom_kills.value_or(0); }

Verdict killed(Status status, int signal, Cause cause) {
  return {status, kSignalBase + signal, signal_name(signal), std::move(cause), {}};
}

Verdict memory_exceeded(const Evidence& evidence) {
  return killed(
      Status::kMemoryExceeded, SIGKILL,
      {"memory_ceiling", "killed by the kernel for memory: " + std::to_string(oom_kills(evidence)) +
                             " OOM kill(s) in the job's own group, peak " + bytes(evidence.usage.peak_memory_bytes) +
                             " of " + std::to_string(evidence.limits.memory_bytes)});
}

Verdict cpu_exceeded(const Evidence& evidence, const std::string& by) {
  return killed(Status::kCpuExceeded, SIGXCPU,
                {"cpu_time", by + " at the CPU time limit of " + millis(evidence.limits.cpu_time) + "; " +
                                 text_of(evidence.usage.cpu_time) + " used"});
}

Verdict security_violation(const Evidence& evidence) {
  const std::string what =
      evidence.violations.empty() ? "a system call" : "system call " + evidence.violations.front().syscall;
  return killed(Status::kSecurityViolation, SIGSYS, {"seccomp", what + " is not allowed; the jail was ended"});
}

Verdict cancelled(std::string why) { return killed(Status::kCancelled, SIGKILL, {"cancelled", std::move(why)}); }

std::optional<Verdict> by_action(const Evidence& evidence) {
  switch (evidence.first_action) {
    case Action::kNone: return std::nullopt;
    case Action::kWallClock:
      return killed(Status::kTimeout, SIGKILL,
                    {"wall_clock",
                     "wall clock limit of " + millis(evidence.limits.wall_time) + " passed; killed by the watchdog"});
    case Action::kCpuTime: return cpu_exceeded(evidence, "killed by the watchdog");
    case Action::kViolation: return security_violation(evidence);
    case Action::kCancelled: return cancelled("the caller asked for it");
    case Action::kClientLeft: return cancelled("the caller's connection closed");
    case Action::kShutDown: return cancelled("the daemon was stopped");
  }
  return std::nullopt;
}

Verdict by_exit(int code) {
  return {code == 0 ? Status::kCompleted : Status::kFailed,
          code,
          std::nullopt,
          {"exited", "exited with status " + std::to_string(code)},
          {}};
}

Verdict by_signal(const Evidence& evidence, int signal) {
  if (signal == SIGKILL && oom_kills(evidence) > 0) return memory_exceeded(evidence);
  // SIGXCPU comes at RLIMIT_CPU, and SIGKILL a second later for who ignores it.
  const bool cpu_used_up = evidence.usage.cpu_time.value_or(std::chrono::microseconds{0}) >= evidence.limits.cpu_time;
  if (signal == SIGXCPU || (signal == SIGKILL && cpu_used_up))
    return cpu_exceeded(evidence, "ended by " + signal_name(signal));
  // Every filtered call is notified, foreign architectures included: SIGSYS by itself is the guest's own doing.
  std::string text = "ended by signal " + signal_name(signal);
  if (signal == SIGSEGV) text += " (illegal memory access)";
  return killed(Status::kSignaled, signal, {"signal", std::move(text)});
}

// Nothing was reported: pid 1 itself has died.
Verdict by_silence(const Evidence& evidence) {
  if (evidence.jailer_died) {
    return {Status::kInternalError,
            std::nullopt,
            std::nullopt,
            {"jailer_died", "the jailer died, and the jail with it, before the program had ended"},
            {}};
  }
  if (oom_kills(evidence) > 0) return memory_exceeded(evidence);
  return {Status::kInternalError,
          std::nullopt,
          std::nullopt,
          {"jail_lost", "the jail ended without a report of its program"},
          {}};
}

Verdict by_cause(const Evidence& evidence) {
  // What fails in a jail whose jailer has died, fails for that.
  if (evidence.failed_step && !evidence.jailer_died) {
    const base::Error& error = *evidence.failed_step;
    return {Status::kInternalError, std::nullopt, std::nullopt, {error.step, error.text()}, {}};
  }
  if (auto verdict = by_action(evidence)) return std::move(*verdict);
  if (!evidence.guest_status) return by_silence(evidence);
  const int status = *evidence.guest_status;
  return WIFSIGNALED(status) ? by_signal(evidence, WTERMSIG(status)) : by_exit(WEXITSTATUS(status));
}

std::string percent(double share) { return base::formatted("%.0f %%", share * 100); }

SecurityEvent event(std::string type, std::string detail, std::uint64_t count = 1) {
  return {std::move(type), std::move(detail), count, {}, {}};
}

void add_usage_events(const Evidence& evidence, std::vector<SecurityEvent>& events) {
  const model::Usage& usage = evidence.usage;
  if (const std::uint64_t kills = oom_kills(evidence); kills > 0) {
    events.push_back(event("oom_kill", "the kernel killed for memory in the job's own group", kills));
  }
  if (const std::uint64_t hits = usage.pids_limit_hits.value_or(0); hits > 0) {
    events.push_back(
        event("pids_limit", "a new task was refused at the limit of " + std::to_string(evidence.limits.pids), hits));
  }
  if (usage.throttled_time && usage.cpu_time && usage.throttled_time->count() > 0) {
    const auto throttled = static_cast<double>(usage.throttled_time->count());
    const auto used = static_cast<double>(usage.cpu_time->count());
    events.push_back(event(
        "cpu_throttled",
        "held back by the CPU quota " + percent(throttled / (used + throttled)) + " of its running time",
        std::max<std::uint64_t>(usage.throttled_periods.value_or(1), 1)));  // the kernel counts a period at its end
  }
}

void add_output_events(const Evidence& evidence, std::vector<SecurityEvent>& events) {
  const std::string cut = " was cut at " + std::to_string(evidence.limits.output_bytes) + " bytes";
  if (evidence.stdout_truncated) events.push_back(event("output_truncated", "stdout" + cut));
  if (evidence.stderr_truncated) events.push_back(event("output_truncated", "stderr" + cut));
  if (evidence.tmp_out_of_space) events.push_back(event("tmpfs_full", "/tmp had no space left at the end"));
  if (evidence.tmp_out_of_inodes) events.push_back(event("tmpfs_full", "/tmp had no inodes left at the end"));
}

}  // namespace

Verdict decide(const Evidence& evidence) {
  Verdict verdict = by_cause(evidence);
  for (const Violation& one : evidence.violations) {
    verdict.events.push_back(
        {"seccomp_violation", "system call " + one.syscall + " is not allowed", one.count, one.syscall, one.args});
  }
  add_usage_events(evidence, verdict.events);
  add_output_events(evidence, verdict.events);
  return verdict;
}

}  // namespace outrigger::run
