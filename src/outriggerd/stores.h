#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "api/key_keeper.h"
#include "api/services.h"
#include "audit/trail.h"
#include "base/error.h"
#include "config/config.h"
#include "outriggerd/state_dir.h"
#include "pool/pool.h"
#include "queue/callbacks.h"
#include "queue/dispatcher.h"
#include "run/task_group.h"

namespace outrigger::outriggerd {

// What is wrong with the configuration of stores beyond its form, as far as it can be told without asking anybody.
base::Status check_stores(const config::Config& config);

// What the daemon keeps beyond itself: the audit trail, the queue, the idempotency keys, embedded or as configured.
class Stores {
 public:
  // Takes the descriptors it needs out of `dirs`. Error steps: audit_spool, config.
  static base::Result<std::unique_ptr<Stores>> open(const config::Config& config, StateDirs& dirs);

  // Null where the trail is switched off.
  [[nodiscard]] audit::RunLog* run_log() { return trail_.get(); }
  [[nodiscard]] std::vector<model::RunRecord> take_unreported() { return std::move(recovered_.unreported); }

  // Starts the threads, after privileges have been given up. `service` outlives this.
  base::Status start(const boost::asio::any_io_executor& executor, const config::Config& config,
                     pool::ExecutionService& service);
  [[nodiscard]] api::Services services(pool::ExecutionService& service);

  // In this order: no job is taken any more; when none runs, what was taken is settled; rows are written. The last one
  // waits.
  void stop_taking();
  boost::asio::awaitable<void> drain(std::chrono::milliseconds limit);
  void close(std::chrono::milliseconds limit);

 private:
  Stores() = default;
  base::Status start_queue(const boost::asio::any_io_executor& executor, const config::Config& config,
                           pool::ExecutionService& service);

  base::UniqueFd audit_dir_;
  base::UniqueFd queue_dir_;
  std::string node_;
  std::string worker_;
  audit::Recovered recovered_;
  std::unique_ptr<audit::Trail> trail_;
  std::unique_ptr<queue::Callbacks> callbacks_;
  std::unique_ptr<queue::Dispatcher> dispatcher_;
  std::unique_ptr<api::KeyKeeper> keys_;
  std::unique_ptr<run::TaskGroup> tasks_;
};

}  // namespace outrigger::outriggerd
