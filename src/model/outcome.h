#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits.h"

namespace outrigger::model {

enum class Status {
  kCompleted,
  kFailed,
  kTimeout,
  kCpuExceeded,
  kMemoryExceeded,
  kSecurityViolation,
  kSignaled,
  kCancelled,
  kInternalError,
  kInterrupted,  // only in the audit trail: the daemon died while the job ran, and what became of it is not known
};
inline constexpr std::size_t kStatusCount = static_cast<std::size_t>(Status::kInternalError) + 1;  // of answers
inline constexpr std::size_t kRecordedStatusCount = static_cast<std::size_t>(Status::kInterrupted) + 1;

std::string_view status_name(Status status);

// Why the job ended: a code to switch on (contract: "exited", "wall_clock", "memory_ceiling", …; for an internal error
// the name of the step that failed) and a sentence for people that carries the evidence.
struct Cause {
  std::string code;
  std::string text;
};

inline constexpr std::array<std::string_view, 6> kSecurityEventTypes{
    "seccomp_violation", "oom_kill", "pids_limit", "output_truncated", "tmpfs_full", "cpu_throttled"};

// Something that happened in the jail and did not pass unnoticed. Never a second status.
struct SecurityEvent {
  std::string type;    // one of kSecurityEventTypes
  std::string detail;  // a sentence
  std::uint64_t count = 1;
  std::string syscall;            // by name; only for seccomp_violation
  std::vector<std::string> args;  // hexadecimal, only for seccomp_violation
};

// One captured stream: `data` holds at most the limit, `bytes` counts all that the guest wrote.
struct CapturedStream {
  std::string data;
  std::uint64_t bytes = 0;
  bool truncated = false;
};

// A file of the working directory that the request asked for: with its content, or with the reason why not. That one
// can't be had is never a second status.
struct CollectedFile {
  std::string path;     // relative to the working directory, in UTF-8; or the pattern that found nothing
  std::string content;  // raw bytes; empty where there is an error
  std::uint32_t mode = 0644;
  std::optional<std::uint64_t> bytes;  // its size; absent where it is not known
  std::optional<Cause> error;          // a code of docs/api.md's table
};

// What the kernel counted for the job, as a difference from the hand-over. What it did not offer is absent, never 0.
struct Usage {
  std::optional<std::chrono::microseconds> cpu_time;
  // What the making of the jail used while the job already counted as running; not in cpu_time. None of a primed jail.
  std::optional<std::chrono::microseconds> setup_cpu_time;
  std::optional<std::chrono::microseconds> throttled_time;
  std::optional<std::uint64_t> periods;
  std::optional<std::uint64_t> throttled_periods;
  std::optional<std::uint64_t> peak_memory_bytes;
  std::optional<std::uint64_t> oom_kills;
  std::optional<std::uint64_t> memory_limit_hits;  // v2: memory.events max; v1: memory.failcnt
  std::optional<std::uint64_t> peak_pids;
  std::optional<std::uint64_t> pids_limit_hits;
};

// How the step ended that made a program of the job's code (model::CompileStep).
struct CompileReport {
  Status status = Status::kInternalError;
  std::optional<int> exit_code;
  std::optional<std::string> signal;
  Cause cause;
  CapturedStream stdout_stream;
  CapturedStream stderr_stream;
  std::chrono::microseconds wall_time{0};
  std::optional<std::chrono::microseconds> cpu_time;
  std::optional<std::uint64_t> peak_memory_bytes;
  bool cached = false;  // it ran for an earlier job of the same tenant, and all this is of then
};

// Where compiling has failed, nothing was run: the ending, times and counters are the compile step's.
struct Outcome {
  std::string job_id;
  std::string tenant_id;
  std::string language;
  Status status = Status::kInternalError;
  std::optional<int> exit_code;
  std::optional<std::string> signal;  // "SIGKILL"
  Cause cause;
  CapturedStream stdout_stream;
  CapturedStream stderr_stream;
  std::chrono::microseconds wall_time{0};   // hand-over of the program to the death of its main process
  std::chrono::microseconds queue_time{0};  // arrival to slot
  Usage usage;
  std::vector<SecurityEvent> security_events;
  std::vector<CollectedFile> files = {};      // by path
  std::optional<CompileReport> compile = {};  // absent where the language has no such step, or it was not come to
  Limits limits;
  std::chrono::system_clock::time_point started_at;
  std::chrono::system_clock::time_point ended_at;
};

// Whether it ended with its compile step, and its program was not run.
inline bool did_not_compile(const Outcome& outcome) {
  return outcome.compile && outcome.compile->status != Status::kCompleted;
}

}  // namespace outrigger::model
