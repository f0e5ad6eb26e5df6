#pragma once

#include <string>

#include "audit/run_log.h"
#include "model/job.h"
#include "model/run_record.h"

namespace outrigger::pool {

// What the audit trail, and the log, are told of one job. `log` and `job` outlive it; without a trail only the log is
// told.
class RunTale {
 public:
  RunTale(audit::RunLog* log, const model::Job& job, std::chrono::system_clock::time_point received_at);

  // The jail stands. To be called before the program is handed over: from here on the job has a row.
  void begin(const std::string& job_id, const std::string& command, const std::string& cgroup_driver);
  [[nodiscard]] bool begun() const { return begun_; }
  // The row; of a queued job until it is settled.
  void end(model::Outcome& outcome);

 private:
  audit::RunLog* log_;
  const model::Job& job_;
  model::RunRecord record_;
  bool begun_ = false;
};

}  // namespace outrigger::pool
