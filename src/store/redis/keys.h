#pragma once

#include <string>
#include <string_view>

namespace outrigger::store_redis {

// The names under which everything is kept (redis.h lists them). What ends in a colon is a prefix.
struct Keys {
  Keys(std::string_view prefix, std::string_view worker);

  [[nodiscard]] std::string job(std::string_view job_id) const { return job_prefix + std::string(job_id); }
  [[nodiscard]] std::string result(std::string_view job_id) const { return result_prefix + std::string(job_id); }

  std::string jobs, dead, done, workers;
  std::string job_prefix, result_prefix, taken_prefix, running_prefix, lease_prefix, idempotency_prefix;
  std::string taken, running, lease;  // this worker's
};

}  // namespace outrigger::store_redis
