#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/run_log.h"
#include "base/unique_fd.h"
#include "jailer/start.h"
#include "model/limits.h"
#include "pool/pool.h"

namespace outrigger::pool {

struct PoolOptions {
  std::uint32_t slots = 16;
  std::chrono::milliseconds acquire_timeout{3000};
  std::uint32_t max_waiting = 1024;
  model::Limits default_limits;           // what primed jails are made with
  std::uint64_t primed_memory_bytes = 0;  // what all primed jails together may hold; 0: none are kept
  std::uint64_t compile_cache_bytes = 0;  // what compiled programs may hold that are kept for the next such job
  std::uint32_t queued_slots = 12;        // of them, for queued jobs at most
  // How many jobs of this tenant may run at a time, 0: any number; asked for each job. None: there are no such quotas.
  std::function<std::uint32_t(std::string_view tenant)> most_of_tenant = {};
  audit::RunLog* run_log = nullptr;          // is told of every job; not owned; null: nobody is
  std::vector<model::RunRecord> unreported;  // jobs of an earlier process without a summary
  base::UniqueFd jobs_dir;                   // where a card per running job is kept; invalid: no cards
  base::UniqueFd terminations_dir;           // where a summary per ended job is spooled; invalid: no summaries
};

class Pool : public ExecutionService {
 public:
  // Ends every running job (after `grace`, by killing) and resolves when all are answered and all jails are gone.
  virtual boost::asio::awaitable<void> shut_down(std::chrono::milliseconds grace) = 0;
};

// `started` is consumed; `runtimes` must be those the jailer was started with (ones without an image may be among them:
// jobs for them answer kNotFound).
std::unique_ptr<Pool> make_pool(boost::asio::io_context& context, jailer::Started started,
                                std::vector<model::InstalledRuntime> runtimes, PoolOptions options);

}  // namespace outrigger::pool
