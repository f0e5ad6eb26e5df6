#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>

#include "base/error.h"
#include "jailer/start.h"
#include "model/job.h"
#include "model/outcome.h"
#include "model/runtime.h"

namespace outrigger::bench {

// What runs a job to its end, in this process.
class Runner {
 public:
  virtual ~Runner() = default;
  // Returns when nothing of the jail is left. `job` must outlive the call.
  virtual boost::asio::awaitable<base::Result<model::Outcome>> run(const model::Job& job) = 0;
  virtual boost::asio::awaitable<void> close() = 0;
};

// By way of the pool, with one slot.
std::unique_ptr<Runner> make_pool_runner(boost::asio::io_context& context, jailer::Started started,
                                         const model::InstalledRuntime& runtime);

// What lies below the pool: the jailer's client, the supervision of one job, its verdict.
std::unique_ptr<Runner> make_direct_runner(boost::asio::io_context& context, jailer::Started started,
                                           const model::InstalledRuntime& runtime);

}  // namespace outrigger::bench
