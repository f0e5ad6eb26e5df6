#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/rule.h"

// For tests: a job as a rule sees it, by readings half a second apart.
namespace outrigger::rules {

inline constexpr std::uint64_t kMiB = 1ULL << 20;

class WatchedJob {
 public:
  explicit WatchedJob(const RuleKind& kind) : rule_(kind.make()) {
    reading.memory_limit_bytes = 128 * kMiB;
    reading.pids_limit = 33U;
    reading.cpu_quota_usec = 50'000U;
    reading.cpu_period_usec = 100'000U;
  }

  Subject job{"j1", "acme", "python", {}, std::chrono::system_clock::time_point{std::chrono::hours(1)}};
  probe::Reading reading;  // what the next look is shown
  const Members* members = nullptr;
  std::chrono::milliseconds interval{500};
  bool scheduled = true;

  // It lives, and its group is read.
  std::optional<Finding> look() {
    read();
    return rule_->look(sight());
  }
  std::optional<Finding> look_at_throttling(std::optional<double> percent) {
    read();
    Sight sight = this->sight();
    sight.throttling_percent = percent;
    return rule_->look(sight);
  }
  // It has ended, and its group is still there.
  std::optional<Finding> look_after_end(std::chrono::milliseconds since, const wire::Termination* summary = nullptr) {
    read();
    return rule_->look(ended(since, summary));
  }
  // It has ended, and its group is gone.
  std::optional<Finding> look_when_gone(std::chrono::milliseconds since, const wire::Termination* summary = nullptr) {
    Sight sight = ended(since, summary);
    sight.before = now_ ? &*now_ : nullptr;
    sight.now = nullptr;
    return rule_->look(sight);
  }

 private:
  void read() {
    if (now_) reading.at = now_->at + interval;
    before_ = now_;
    now_ = reading;
    if (!first_) first_ = reading;
  }

  Sight sight() const {
    Sight sight{.job = job};
    sight.first = first_ ? &*first_ : nullptr;
    sight.before = before_ ? &*before_ : nullptr;
    sight.now = now_ ? &*now_ : nullptr;
    if (first_) sight.observed = std::chrono::duration_cast<std::chrono::milliseconds>(now_->at - first_->at);
    if (before_) sight.throttling_percent = throttling_percent(*before_, *now_);
    sight.members = members;
    sight.scheduled = scheduled;
    return sight;
  }

  Sight ended(std::chrono::milliseconds since, const wire::Termination* summary) const {
    Sight sight = this->sight();
    sight.ended = true;
    sight.since_end = since;
    sight.summary = summary;
    return sight;
  }

  std::unique_ptr<Rule> rule_;
  std::optional<probe::Reading> first_, before_, now_;
};

// Whether the finding has such a fact, and it is known.
inline bool has_fact(const Evidence& evidence, std::string_view name) {
  for (const Fact& fact : evidence) {
    if (fact.name == name) return !std::holds_alternative<std::monostate>(fact.value);
  }
  return false;
}

}  // namespace outrigger::rules
