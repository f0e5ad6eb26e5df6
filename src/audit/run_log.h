#pragma once

#include "base/error.h"
#include "model/run_record.h"

namespace outrigger::audit {

// Where is told what begins and what has become of it. No call waits; all from the event loop's thread. Of each job
// that was begun exactly one of end() and hold() follows; where this process dies before, its row says so.
class RunLog {
 public:
  virtual ~RunLog() = default;

  // kUnavailable where a job that began now might leave no row, and the operator wants none to run then.
  [[nodiscard]] virtual base::Status admit() const = 0;
  // `record`: as far as it is known; outcome.job_id, tenant_id, language, limits and started_at are.
  virtual void begin(model::RunRecord record) = 0;
  virtual void end(model::RunRecord record) = 0;
  // The row of a job that another may have ended too: kept or dropped by settle().
  virtual void hold(model::RunRecord record) = 0;
  virtual void settle(const std::string& job_id, bool keep) = 0;
};

}  // namespace outrigger::audit
