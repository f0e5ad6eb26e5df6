#pragma once

#include "rules/signals.h"
#include "wire/termination.h"

// For tests: summaries as an honest daemon writes them, with all its kernel can count, on v2.
namespace outrigger::rules {

inline wire::Termination summary_of(model::Status status, std::optional<int> exit_code,
                                    std::optional<std::string> signal, std::string cause) {
  using namespace std::chrono_literals;
  wire::Termination summary;
  summary.cgroup_driver = "v2";
  summary.cgroup_oom_triggered = false;
  model::Outcome& outcome = summary.outcome;
  outcome.job_id = "j1";
  outcome.tenant_id = "acme";
  outcome.language = "python";
  outcome.status = status;
  outcome.exit_code = exit_code;
  outcome.signal = std::move(signal);
  outcome.cause = {std::move(cause), "as the daemon puts it"};
  outcome.wall_time = 1s;
  outcome.started_at = std::chrono::system_clock::time_point{1h};
  outcome.ended_at = outcome.started_at + 1s;
  outcome.usage = {.cpu_time = 400ms,
                   .setup_cpu_time = 0ms,
                   .throttled_time = 100ms,
                   .periods = 10,
                   .throttled_periods = 2,
                   .peak_memory_bytes = 40ULL << 20,
                   .oom_kills = 0,
                   .memory_limit_hits = 0,
                   .peak_pids = 3,
                   .pids_limit_hits = 0};
  return summary;
}

inline wire::Termination exited(int code) {
  return summary_of(code == 0 ? model::Status::kCompleted : model::Status::kFailed, code, {}, "exited");
}

inline wire::Termination signaled(const char* name) {
  return summary_of(model::Status::kSignaled, kSignalBase + signal_number(name).value_or(0), name, "signal");
}

inline wire::Termination memory_exceeded() {
  auto summary = summary_of(model::Status::kMemoryExceeded, 137, "SIGKILL", "memory_ceiling");
  summary.cgroup_oom_triggered = true;
  summary.outcome.usage.oom_kills = 1;
  summary.outcome.usage.memory_limit_hits = 12;
  summary.outcome.usage.peak_memory_bytes = 128ULL << 20;
  return summary;
}

inline wire::Termination timeout() {
  auto summary = summary_of(model::Status::kTimeout, 137, "SIGKILL", "wall_clock");
  summary.outcome.wall_time = std::chrono::milliseconds(5003);
  return summary;
}

inline wire::Termination cpu_exceeded() {
  auto summary = summary_of(model::Status::kCpuExceeded, 152, "SIGXCPU", "cpu_time");
  summary.outcome.usage.cpu_time = std::chrono::milliseconds(5004);
  return summary;
}

inline wire::Termination security_violation() {
  auto summary = summary_of(model::Status::kSecurityViolation, 159, "SIGSYS", "seccomp");
  summary.outcome.security_events.push_back(
      {"seccomp_violation", "system call socket is not allowed", 1, "socket", {"0x2"}});
  return summary;
}

inline wire::Termination cancelled() { return summary_of(model::Status::kCancelled, 137, "SIGKILL", "cancelled"); }

inline wire::Termination internal_error(const char* step) {
  auto summary = summary_of(model::Status::kInternalError, {}, {}, step);
  summary.outcome.usage = {};
  summary.cgroup_oom_triggered = {};
  return summary;
}

// As the daemon writes it at its next start.
inline wire::Termination interrupted() {
  auto summary = internal_error("daemon_died");
  summary.outcome.status = model::Status::kInterrupted;
  summary.outcome.wall_time = {};
  return summary;
}

}  // namespace outrigger::rules
