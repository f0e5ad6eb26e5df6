#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "wire/error_json.h"

namespace outrigger::wire {

// How a queued job stands: the answer to POST and GET /api/v1/jobs.
struct JobStatus {
  std::string job_id;
  std::string state;          // "queued", "running", "finished", "dead"
  std::uint32_t attempt = 0;  // how many were begun
  bool cancel_requested = false;
  std::string worker;          // who runs it or has finished it; empty: nobody yet
  std::string result;          // JSON, as the queue keeps it: an outcome, or {"job_id", "error"}; empty: none yet
  std::string entry = {};      // the queue's, while the job is not final; for who knows its annotation, and not in JSON
  std::string tenant_id = {};  // whose it is; empty where that is not known. Not in the JSON
};

// {"job_id", "state", "attempt", "cancel_requested", "worker", "result": {…}|null, "error": {…}|null}
std::string job_status_json(const JobStatus& status);

// The reverse, for clients. kInvalid where the text is no such object. `result` is as the daemon sent it: the outcome
// or {"error"}.
base::Result<JobStatus> parse_job_status(std::string_view json);

// Of which attempt such a result is; nothing where the text says none.
std::optional<std::uint32_t> result_attempt(std::string_view result);

// The annotation of an entry or a result; empty where it has none.
std::string annotation_of(std::string_view json);

// A job that is none, as far as it is known.
struct Rejected {
  std::string job_id;
  std::string tenant_id = {};
  std::string annotation = {};
};
// What the queue keeps of it: {"job_id", "tenant_id"?, "error": {"code", "message", "field"}, "annotation"?}.
std::string rejection_json(const Rejected& rejected, const ErrorBody& error);

}  // namespace outrigger::wire
