#include <array>

#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

constexpr double kLimitPercent = 30;
constexpr std::size_t kIntervals = 3;

class SchedulingContention : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    if (!sight.scheduled) return std::nullopt;
    // Idle or not available: there is nothing in a row with it. It has not fallen back either.
    if (!sight.throttling_percent) return broken();
    const double percent = *sight.throttling_percent;
    if (percent <= kLimitPercent) {
      told_ = false;
      return broken();
    }
    if (told_) return std::nullopt;
    streak_.at(length_++) = percent;
    if (length_ < kIntervals) return std::nullopt;
    told_ = true;
    length_ = 0;
    return finding(sight);
  }

 private:
  std::optional<Finding> broken() {
    length_ = 0;
    return std::nullopt;
  }

  Finding finding(const Sight& sight) const {
    Finding found{kSchedulingContention.name,
                  Severity::kWarning,
                  job_text(sight.job) + " was held back by its CPU quota " + percent_text(streak_[0]) + ", " +
                      percent_text(streak_[1]) + " and " + percent_text(streak_[2]) +
                      " of its running time in three intervals in a row; the limit is " + percent_text(kLimitPercent),
                  {{"throttling_percent", streak_[2]},
                   {"throttling_percent_before", streak_[1]},
                   {"throttling_percent_before_that", streak_[0]},
                   {"threshold_percent", kLimitPercent}}};
    if (sight.now != nullptr) {
      found.evidence.push_back(fact("cpu_usage_usec", sight.now->cpu_usage_usec));
      found.evidence.push_back(fact("throttled_usec", sight.now->throttled_usec));
      found.evidence.push_back(fact("cpu_quota_usec", sight.now->cpu_quota_usec));
      found.evidence.push_back(fact("cpu_period_usec", sight.now->cpu_period_usec));
    }
    return found;
  }

  std::array<double, kIntervals> streak_{};
  std::size_t length_ = 0;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_scheduling_contention() { return std::make_unique<SchedulingContention>(); }

}  // namespace outrigger::rules
