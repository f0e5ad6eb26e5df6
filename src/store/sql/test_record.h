#pragma once

#include <chrono>
#include <string>

#include "model/run_record.h"

namespace outrigger::store::sql {

// A record that has something in every column, started `number` milliseconds after a fixed time.
inline model::RunRecord test_record(const std::string& job_id, int number = 0) {
  using namespace std::chrono_literals;
  model::RunRecord record;
  model::Outcome& out = record.outcome;
  out.job_id = job_id;
  out.tenant_id = "acme";
  out.language = "python";
  out.status = model::Status::kSecurityViolation;
  out.exit_code = 159;
  out.signal = "SIGSYS";
  out.cause = {"seccomp", "stopped at socket(2), \"x\" \\ {y} ' \xc3\xa9 \xf0\x9f\x9b\xb6"};
  out.stdout_stream.bytes = 700'000;
  out.stdout_stream.truncated = true;
  out.stderr_stream.bytes = 1;
  out.wall_time = 1'234'567us;
  out.queue_time = 1us;
  out.usage = {.cpu_time = 1900us,
               .setup_cpu_time = std::nullopt,
               .throttled_time = 0us,
               .periods = 3,
               .throttled_periods = 1,
               .peak_memory_bytes = 134'217'728,
               .oom_kills = 0,
               .memory_limit_hits = 7,
               .peak_pids = 4,
               .pids_limit_hits = 0};
  out.security_events = {{"seccomp_violation", "socket \"\n\"", 1, "socket", {"0x2", "0x1"}},
                         {"oom_kill", "one", 3, "", {}}};
  out.limits.cpu_cores = 0.1;
  out.limits.pids = 7;
  out.started_at = std::chrono::system_clock::time_point{1738315800s + 125us + number * 1ms};
  out.ended_at = out.started_at + out.wall_time;
  record.received_at = out.started_at - out.queue_time;
  record.code_sha256 = std::string(64, 'a');
  record.code_bytes = 17;
  record.command = "/usr/bin/python3 main.py {a,b} NULL \\N";
  record.node = "n1";
  record.cgroup_driver = "v1";
  record.origin = model::Origin::kQueue;
  record.attempt = 2;
  record.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
  return record;
}

// One of which nothing is known that may be unknown.
inline model::RunRecord empty_test_record(const std::string& job_id) {
  model::RunRecord record;
  record.outcome.job_id = job_id;
  record.outcome.status = model::Status::kInterrupted;
  record.attempt = 0;
  return record;
}

}  // namespace outrigger::store::sql
