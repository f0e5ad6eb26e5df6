#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/run_record.h"
#include "wire/json_writer.h"

namespace outrigger::wire {

// One run as GET /api/v1/runs/{job_id} answers it, and as the spool keeps it: the members of a job's answer without its
// outputs, by the same names, and what only the audit trail knows.
void write_run_record(JsonWriter& writer, const model::RunRecord& record);
std::string run_record_json(const model::RunRecord& record);

// The reverse. kInvalid where the text is no such object. What it has and this program does not know is passed over.
base::Result<model::RunRecord> parse_run_record(std::string_view json);

// One page of GET /api/v1/runs.
struct RunList {
  std::vector<model::RunRecord> runs;
  std::string next_before;  // empty: the last
};
std::string run_list_json(const RunList& list);
base::Result<RunList> parse_run_list(std::string_view json);

// The two members that a table keeps as JSON.
std::string security_events_json(const std::vector<model::SecurityEvent>& events);
std::string limits_json(const model::Limits& limits);
// kInvalid where `events` is no such array or `limits` no such object.
base::Status parse_json_columns(std::string_view events, std::string_view limits, model::Outcome& out);

// "direct", "queue".
std::string_view origin_name(model::Origin origin);

}  // namespace outrigger::wire
