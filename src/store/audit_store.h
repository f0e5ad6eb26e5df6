#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/run_record.h"

namespace outrigger::store {

// A place in the order of runs: newest first by started_at, then by job_id descending.
struct RunCursor {
  std::chrono::system_clock::time_point started_at;  // whole microseconds
  std::string job_id;
};

// Which runs are asked for; what is absent does not matter.
struct RunQuery {
  std::optional<std::string> tenant_id;
  std::optional<std::string> language;
  std::optional<model::Status> status;
  std::optional<std::chrono::system_clock::time_point> since;  // started at or after
  std::optional<std::chrono::system_clock::time_point> until;  // started before
  std::optional<RunCursor> before;                             // only those that come after this one in the order
  std::size_t limit = 100;
};

// The table execution_runs of one database. Blocking, and for one thread at a time; each call connects where no
// connection stands, and none takes longer than the store's own deadline.
// Errors: kSystem or kTimedOut where the database can't be reached or does not answer (to be tried again; what was
// asked may have been done), kInvalid where it refuses the data itself, kConflict where its schema is newer than this
// program. No error's text holds a password.
class AuditStore {
 public:
  virtual ~AuditStore() = default;

  // Connects and brings the schema up to date, under a lock that other daemons heed.
  virtual base::Status open() = 0;
  // All or none of them. A row whose job_id is there already is left as it is.
  virtual base::Status insert(std::span<const model::RunRecord> records) = 0;
  virtual base::Result<std::vector<model::RunRecord>> list(const RunQuery& query) = 0;
  virtual base::Result<std::optional<model::RunRecord>> find(const std::string& job_id) = 0;
  // At most so many of the oldest; how many it were.
  virtual base::Result<std::size_t> remove_ended_before(std::chrono::system_clock::time_point time,
                                                        std::size_t at_most) = 0;
};

}  // namespace outrigger::store
