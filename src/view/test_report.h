#pragma once

#include "view/report.h"

namespace outrigger::view {

// One job near its ceiling, one of which nothing is known.
inline Report test_report() {
  JobRow near;
  near.job_id = "near";
  near.tenant_id = "acme";
  near.language = "python";
  near.age = std::chrono::milliseconds{2300};
  near.memory_bytes = 118U << 20;
  near.memory_limit_bytes = 128U << 20;
  near.cpu_usage_usec = 1500;
  near.cpu_cores = 0.5;
  near.throttling_percent = 48;
  near.pids = 3;
  near.pids_limit = 32;
  near.oom_kills = 0;
  near.findings.push_back({"memory_approach", rules::Severity::kWarning, "118.0 MiB of 128.0 MiB", {}});
  JobRow unknown;
  unknown.job_id = "unknown";
  unknown.tenant_id = "acme";
  unknown.language = "bash";
  Report report;
  report.jobs = {unknown, near};
  report.driver = "v2";
  report.fleet.sandbox_memory_bytes = 118U << 20;
  report.fleet.host_memory_bytes = 1ULL << 30;
  report.fleet.share = 118.0 / 1024;
  report.fleet.dispatch_paused = false;
  return report;
}

}  // namespace outrigger::view
