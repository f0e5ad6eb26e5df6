#include "rules/sight.h"

#include "rules/evidence.h"

namespace outrigger::rules {

std::optional<double> throttling_percent(const probe::Reading& before, const probe::Reading& now) {
  const auto used = rise(before.cpu_usage_usec, now.cpu_usage_usec);
  const auto throttled = rise(before.throttled_usec, now.throttled_usec);
  if (!used || !throttled) return std::nullopt;
  const double runnable = static_cast<double>(*used) + static_cast<double>(*throttled);
  if (runnable <= 0) return std::nullopt;
  return 100.0 * static_cast<double>(*throttled) / runnable;
}

}  // namespace outrigger::rules
