#include "tenants/quotas.h"

#include <algorithm>
#include <cstddef>

namespace outrigger::tenants {

bool is_empty(const Quotas& quotas) { return quotas == Quotas{}; }

bool has_ceilings(const Quotas& quotas) {
  return std::ranges::any_of(quotas.ceilings, [](double ceiling) { return ceiling > 0; });
}

model::Limits lowered(model::Limits limits, const Quotas& quotas) {
  for (std::size_t i = 0; i < model::kLimitFields.size(); ++i) {
    const double ceiling = quotas.ceilings.at(i);
    const model::LimitField& field = model::kLimitFields.at(i);
    if (ceiling > 0 && ceiling < field.get(limits)) field.set(limits, ceiling);
  }
  return limits;
}

}  // namespace outrigger::tenants
