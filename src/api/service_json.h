#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/services.h"
#include "pool/pool.h"
#include "wire/execute_request.h"

namespace outrigger::api {

enum class HealthStatus { kOk, kDegraded, kUnready };

// `ok`: every job that is allowed would run. `degraded`: some would not, and why. `unready`: none would.
struct Health {
  HealthStatus status = HealthStatus::kOk;
  std::vector<std::string> reasons;
};

Health assess(const Services& services, bool shutting_down);

std::string health_to_json(const Health& health, const Services& services, std::string_view version);
// With the limits that `rules` has.
std::string languages_to_json(const pool::ExecutionService& service, const wire::RequestRules& rules);

}  // namespace outrigger::api
