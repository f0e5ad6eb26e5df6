#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "audit/run_log.h"
#include "jailer/client.h"
#include "model/job.h"
#include "model/outcome.h"
#include "pool/catalogue.h"
#include "pool/compiler.h"
#include "pool/jailer_gate.h"
#include "pool/job_records.h"
#include "pool/primed_jails.h"
#include "pool/run_tale.h"
#include "pool/slots.h"
#include "run/attendance.h"
#include "run/task_group.h"

namespace outrigger::pool {

// Takes jobs that have a slot through their compile step and their jail, and tells card, summary and audit trail of
// them. Single-threaded.
class JobRunner {
 public:
  // All of it outlives the runner and every run().
  struct Tools {
    jailer::Client& jailer;
    JailerGate& gate;
    PrimedJails& primed;
    JobRecords& records;
    audit::RunLog* run_log;  // null: none
    run::TaskGroup& tasks;   // where jails are cleared away when their jobs have been answered
  };
  JobRunner(const Tools& tools, std::uint64_t compile_cache_bytes);

  // Never fails: whatever goes wrong is an outcome with Status::kInternalError. The slot is free again when nothing of
  // the jail is left, which may be after this has resolved. `waited`: for the slot.
  boost::asio::awaitable<model::Outcome> run(const model::Job& job, Catalogue::Entry found, run::Attendance attendance,
                                             SlotLease slot, std::chrono::microseconds waited);

  // ExecutionService::cancel().
  bool cancel(const std::string& job_id, std::string_view tenant);

 private:
  struct Running {
    std::string tenant;
    run::Cancellation* cancellation;
  };

  boost::asio::awaitable<model::Outcome> run_program(const model::Job& job, Catalogue::Entry found,
                                                     run::Attendance attendance, SlotLease slot,
                                                     std::chrono::microseconds waited, RunTale& tale);
  boost::asio::awaitable<base::Result<run::PrimedJail>> obtain_jail(const model::Job& job, Catalogue::Entry found,
                                                                    std::string cold_id);
  boost::asio::awaitable<void> clean_up(std::uint64_t handle, std::string job_id, SlotLease slot);
  void begin(const std::string& job_id, const std::string& command, RunTale& tale, run::Attendance attendance);
  void finish(model::Outcome& outcome, const std::string& command, const model::Job& job, RunTale& tale);
  model::Outcome failed_to_build(const model::Job& job, std::string job_id, const base::Error& error,
                                 std::chrono::microseconds waited, RunTale& tale);

  Tools tools_;
  Compiler compiler_;
  std::map<std::string, Running> by_id_;  // those that have a jail
};

}  // namespace outrigger::pool
