#include "tenants/rate_limiter.h"

#include <algorithm>

namespace outrigger::tenants {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

// What one job empties the bucket by, as the time that fills it again. At a million a minute it is 60,000 ns.
nanoseconds interval(std::uint32_t per_minute) { return nanoseconds(std::chrono::minutes(1)) / per_minute; }

}  // namespace

RateLimiter::Verdict RateLimiter::look(std::string_view tenant, std::uint32_t per_minute, Time now) const {
  const auto found = full_at_.find(tenant);
  const nanoseconds whole = interval(per_minute) * per_minute;
  // A quota that has been lowered holds for what is in the bucket now, too.
  const nanoseconds missing =
      found == full_at_.end() ? nanoseconds{0} : std::clamp<nanoseconds>(found->second - now, nanoseconds{0}, whole);
  Verdict verdict;
  verdict.limit = per_minute;
  verdict.remaining = static_cast<std::uint32_t>((whole - missing) / interval(per_minute));
  verdict.reset = std::chrono::ceil<seconds>(missing);
  return verdict;
}

RateLimiter::Verdict RateLimiter::take(const std::string& tenant, std::uint32_t per_minute, Time now) {
  Verdict verdict = look(tenant, per_minute, now);
  const nanoseconds each = interval(per_minute);
  const auto found = full_at_.find(tenant);
  const Time full_at = found == full_at_.end() ? now : std::clamp(found->second, now, now + each * per_minute);
  const Time full_then = full_at + each;
  const nanoseconds too_soon_by = full_then - now - each * per_minute;
  verdict.allowed = too_soon_by <= nanoseconds{0};
  if (!verdict.allowed) {
    verdict.retry_after = std::chrono::ceil<seconds>(too_soon_by);
    return verdict;
  }
  full_at_.insert_or_assign(tenant, full_then);
  --verdict.remaining;
  verdict.reset = std::chrono::ceil<seconds>(full_then - now);
  return verdict;
}

}  // namespace outrigger::tenants
