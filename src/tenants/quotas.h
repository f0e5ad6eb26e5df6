#pragma once

#include <array>
#include <cstdint>

#include "model/limit_fields.h"
#include "model/limits.h"

namespace outrigger::tenants {

inline constexpr std::uint32_t kMaxConcurrent = 100'000;
inline constexpr std::uint32_t kMaxPerMinute = 1'000'000;

// What one tenant may use, whoever acts for it and with however many tokens. Zero: no quota of that kind.
struct Quotas {
  std::uint32_t concurrent = 0;                                  // jobs that run at a time
  std::uint32_t per_minute = 0;                                  // jobs
  std::array<double, model::kLimitFields.size()> ceilings = {};  // by the place of the limit in kLimitFields

  friend bool operator==(const Quotas&, const Quotas&) = default;
};

[[nodiscard]] bool is_empty(const Quotas& quotas);
[[nodiscard]] bool has_ceilings(const Quotas& quotas);

// `limits`, none above the tenant's ceiling: what holds for its jobs in place of the daemon's defaults or ceilings.
[[nodiscard]] model::Limits lowered(model::Limits limits, const Quotas& quotas);

}  // namespace outrigger::tenants
