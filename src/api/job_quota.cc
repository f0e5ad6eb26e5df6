#include "api/error_response.h"
#include "api/handlers.h"

namespace outrigger::api {

std::optional<Response> Handlers::take_quota(const std::string& tenant) {
  const std::uint32_t per_minute = rules_.quotas(tenant).per_minute;
  if (per_minute == 0) return std::nullopt;
  const auto verdict = rates_.take(tenant, per_minute, std::chrono::steady_clock::now());
  if (verdict.allowed) return std::nullopt;
  Response refused = error_response(Problem::kRateLimited, tenant + " may run " + std::to_string(per_minute) +
                                                               " jobs a minute; the next in " +
                                                               std::to_string(verdict.retry_after.count()) + " s");
  refused.headers.emplace_back("Retry-After", std::to_string(verdict.retry_after.count()));
  return refused;
}

void Handlers::tell_quota(Response& response, std::string_view tenant) const {
  const std::uint32_t per_minute = rules_.quotas(tenant).per_minute;
  if (per_minute == 0) return;
  const auto now = rates_.look(tenant, per_minute, std::chrono::steady_clock::now());
  response.headers.emplace_back("X-RateLimit-Limit", std::to_string(now.limit));
  response.headers.emplace_back("X-RateLimit-Remaining", std::to_string(now.remaining));
  response.headers.emplace_back("X-RateLimit-Reset", std::to_string(now.reset.count()));
}

}  // namespace outrigger::api
