#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/options.h"
#include "api/services.h"
#include "pool/pool.h"

namespace outrigger::api {

enum class HealthStatus { kOk, kDegraded, kUnready };

// `ok`: every job that is allowed would run. `degraded`: some would not, and why. `unready`: none would.
struct Health {
  HealthStatus status = HealthStatus::kOk;
  std::vector<std::string> reasons;
};

Health assess(const Services& services, bool shutting_down);

std::string health_to_json(const Health& health, const Services& services, std::string_view version);
std::string languages_to_json(const pool::ExecutionService& service, const Options& options);

}  // namespace outrigger::api
