#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace outrigger::tenants {

// Jobs a minute, tenant by tenant: each has a bucket that holds as many as it may run in a minute and is filled again
// at that pace (the generic cell rate algorithm, ITU-T I.371, with one number a tenant: when its bucket is full again).
// Single-threaded.
class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Verdict {
    bool allowed = false;
    std::uint32_t limit = 0;             // what the bucket holds
    std::uint32_t remaining = 0;         // what is in it now
    std::chrono::seconds reset{};        // until it is full, rounded up
    std::chrono::seconds retry_after{};  // where it is not allowed: until it holds one again, rounded up
  };

  // One job. `per_minute`: the tenant's quota now, 1 to kMaxPerMinute.
  Verdict take(const std::string& tenant, std::uint32_t per_minute, Time now);
  // How it stands.
  [[nodiscard]] Verdict look(std::string_view tenant, std::uint32_t per_minute, Time now) const;

 private:
  std::map<std::string, Time, std::less<>> full_at_;
};

}  // namespace outrigger::tenants
