#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "families/families.h"
#include "sys/own_process.h"

namespace outrigger::witness {

struct JobSample {
  std::string job_id;
  std::string tenant_id;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> cpu_usage_usec;
  std::optional<std::uint64_t> throttled_usec;
  std::optional<std::uint64_t> pids;
};

// All there is to show, as it stands at one moment. What the kernel did not offer is no series.
struct MetricsSnapshot {
  std::vector<JobSample> jobs;  // those that run: a job's id is a label only as long as it does
  std::map<std::string, std::uint64_t> memory_events;
  std::map<std::string, std::uint64_t> terminations;            // by cause
  std::map<std::string, std::uint64_t, std::less<>> incidents;  // by rule
  std::map<std::string, std::uint64_t> ledger_lines;            // by ledger
  std::map<std::string, std::uint64_t> ledger_errors;           // by ledger
  std::uint64_t missed_jobs = 0;
  std::uint64_t turned_away = 0;
  std::uint64_t inotify_overflows = 0;
  std::uint64_t alerts_sent = 0;
  std::uint64_t alerts_dropped = 0;
  std::uint64_t summaries_waiting = 0;
  std::uint64_t summaries_stuck = 0;
  bool watching = false;  // the daemon's directories are there, and can be read
  std::uint64_t fleet_memory_bytes = 0;
  std::optional<std::uint64_t> host_memory_bytes;
  double ceiling = 0.65;
  std::optional<bool> dispatch_paused;
  bool own_pause = false;
};

// `process`: the auditor's own; absent: its metrics are left out.
families::Families metrics_page(const MetricsSnapshot& now, const std::optional<sys::OwnProcess>& process,
                                const std::string& version);

}  // namespace outrigger::witness
