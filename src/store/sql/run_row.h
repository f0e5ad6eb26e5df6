#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/run_record.h"

namespace outrigger::store::sql {

struct Column {
  std::string_view name;
  std::string_view type;  // PostgreSQL's; SQLite's tables hold the same in their four types
};

// execution_runs in the order rows are written and read. recorded_at is the database's own.
inline constexpr std::array kRunColumns{
    Column{"job_id", "text"},
    Column{"tenant_id", "text"},
    Column{"language", "text"},
    Column{"code_sha256", "text"},
    Column{"code_bytes", "bigint"},
    Column{"status", "text"},
    Column{"exit_code", "integer"},
    Column{"signal", "text"},
    Column{"cause_code", "text"},
    Column{"cause_text", "text"},
    Column{"wall_time_ms", "double precision"},
    Column{"queue_time_ms", "double precision"},
    Column{"cpu_time_ms", "double precision"},
    Column{"throttled_time_ms", "double precision"},
    Column{"nr_periods", "bigint"},
    Column{"nr_throttled", "bigint"},
    Column{"peak_memory_bytes", "bigint"},
    Column{"oom_kills", "bigint"},
    Column{"memory_max_events", "bigint"},
    Column{"pids_peak", "bigint"},
    Column{"pids_limit_hits", "bigint"},
    Column{"stdout_bytes", "bigint"},
    Column{"stderr_bytes", "bigint"},
    Column{"stdout_truncated", "boolean"},
    Column{"stderr_truncated", "boolean"},
    Column{"security_events", "jsonb"},
    Column{"limits", "jsonb"},
    Column{"command", "text"},
    Column{"node", "text"},
    Column{"cgroup_driver", "text"},
    Column{"origin", "text"},
    Column{"attempt", "bigint"},
    Column{"received_at", "timestamptz"},
    Column{"started_at", "timestamptz"},
    Column{"ended_at", "timestamptz"},
    Column{"trace_id", "text"},
};

// A row's values as text, in the order of kRunColumns: numbers decimal, booleans 0 and 1, times as wire::time_text
// writes them, nothing for NULL. Databases turn them into what their columns hold.
using RunRow = std::array<std::optional<std::string>, kRunColumns.size()>;

// kInvalid, naming job and column, for what a database would cut or refuse: a text that is no UTF-8 or holds a NUL, a
// number above 2^63 - 1.
base::Result<RunRow> row_of(const model::RunRecord& record);

// The reverse; "t" and "f" are booleans too. kInvalid, naming job and column, for a row that no record makes.
base::Result<model::RunRecord> record_of(const RunRow& row);

// kInvalid: what is wrong with a row's column (an index into kRunColumns).
std::unexpected<base::Error> row_refusal(std::string_view job_id, std::size_t column, std::string_view what);

// "job_id, tenant_id, …"
std::string run_column_names();

}  // namespace outrigger::store::sql
