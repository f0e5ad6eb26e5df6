#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/run_reader.h"
#include "metrics/http_state.h"
#include "pool/job_counters.h"
#include "pool/pool.h"
#include "queue/job_desk.h"
#include "sys/own_process.h"

namespace outrigger::metrics {

// All there is to show, as it stands at one moment. What it refers to outlives it.
struct Snapshot {
  std::string_view version;  // of the program
  const pool::PoolState& pool;
  const pool::JobCounters& jobs;
  const HttpState& http;
  std::optional<sys::OwnProcess> process;       // absent: the process's own metrics are left out
  std::optional<audit::TrailState> audit = {};  // absent: there is no audit trail
  std::optional<queue::QueueState> queue = {};  // absent: there is no queue
  std::uint64_t lost_log_lines = 0;             // base::lost_log_lines()
};

// Prometheus's text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), names and units by
// https://prometheus.io/docs/practices/naming/. No label's value comes from a caller. docs/api.md lists the metrics.
std::string exposition(const Snapshot& now);
inline constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace outrigger::metrics
