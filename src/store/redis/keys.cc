#include "store_redis/keys.h"

namespace outrigger::store_redis {

Keys::Keys(std::string_view prefix, std::string_view worker) {
  const auto below = [&](std::string_view name) { return std::string(prefix) + ":" + std::string(name); };
  jobs = below("jobs");
  dead = below("jobs:dead");
  done = below("done");
  workers = below("workers");
  job_prefix = below("job:");
  result_prefix = below("results:");
  taken_prefix = below("jobs:taken:");
  running_prefix = below("running:");
  lease_prefix = below("lease:");
  idempotency_prefix = below("idempotency:");
  taken = taken_prefix + std::string(worker);
  running = running_prefix + std::string(worker);
  lease = lease_prefix + std::string(worker);
}

}  // namespace outrigger::store_redis
