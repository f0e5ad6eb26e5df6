#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/job.h"
#include "model/outcome.h"
#include "model/runtime.h"
#include "pool/job_counters.h"
#include "run/attendance.h"

namespace outrigger::pool {

struct DispatchState {
  bool paused = false;
  std::string reason;
};

// How one runtime's primed jails stand.
struct PrimedState {
  std::string runtime;
  std::size_t ready = 0;
  std::size_t target = 0;
  std::uint64_t hits = 0;          // jobs that found one ready
  std::uint64_t misses = 0;        // jobs that could have used one, and found none
  std::uint64_t memory_bytes = 0;  // held by those that are ready, as measured when the last one was made
};

// How the pool stands now; what /health and the control routes show.
struct PoolState {
  std::size_t slots = 0;
  std::size_t running = 0;
  std::size_t waiting = 0;
  bool jailer_alive = false;
  std::string cgroup_driver;   // "v2", "v1"
  std::string record_trouble;  // empty, or why job cards or termination summaries are being lost
  DispatchState dispatch;
  std::vector<PrimedState> primed = {};
  std::string jailer_trouble = {};  // while no jailer is alive: why, in words for everybody
};

// The execution service as api/ sees it. Single-threaded: all calls from the io_context's thread.
class ExecutionService {
 public:
  virtual ~ExecutionService() = default;

  // Runs one job to its end. Waits for a slot, which its tenants share fairly (pool/slots.h); a queued job waits for
  // one that is spare, for as long as it takes, and its row in the audit trail is held until whoever runs the queue
  // settles it. Errors, all before anything ran: kExhausted (no slot within the acquire timeout), kOverQuota (its
  // tenant had as many jobs running as it may, all that time), kPaused, kNotFound (no such runtime), kUnavailable (its
  // row might find no room), kCancelled, kSystem (the jailer has died, and no other was there within as long again).
  // Whatever goes wrong after a slot was had is an Outcome with Status::kInternalError.
  virtual boost::asio::awaitable<base::Result<model::Outcome>> execute(model::Job job, run::Attendance attendance) = 0;

  [[nodiscard]] virtual const std::vector<model::InstalledRuntime>& runtimes() const = 0;
  [[nodiscard]] virtual PoolState state() const = 0;
  // Of all jobs since the start, through whichever door they came.
  [[nodiscard]] virtual const JobCounters& job_counters() const = 0;
  // While it is paused, direct requests are refused and queued jobs wait.
  virtual void set_dispatch(DispatchState dispatch) = 0;

  // Ends a running job as its caller asked; false where no such job of this tenant runs here. An empty tenant is any.
  virtual bool cancel(const std::string& job_id, std::string_view tenant) = 0;
  // How many queued jobs should be brought now (pool/slots.h). `handler` is called whenever it may have risen.
  [[nodiscard]] virtual std::size_t spare_slots() const = 0;
  virtual void on_spare_slots(std::function<void()> handler) = 0;
};

}  // namespace outrigger::pool
