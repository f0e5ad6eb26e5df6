#include <algorithm>

#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/tasks.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

constexpr double kBackPercent = 50;

// Tasks the kernel refused so far, by whoever has counted more.
std::uint64_t refused(const Sight& sight) {
  std::uint64_t hits = sight.now != nullptr ? sight.now->pids_limit_hits.value_or(0) : 0;
  if (sight.ended && sight.summary != nullptr) {
    hits = std::max(hits, sight.summary->outcome.usage.pids_limit_hits.value_or(0));
  }
  return hits;
}

class ForkBomb : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    const std::uint64_t hits = refused(sight);
    const bool more = hits > hits_;  // a group starts at 0
    const bool full = !sight.ended && sight.now != nullptr && at_task_limit(*sight.now);
    const std::uint64_t new_hits = more ? hits - hits_ : 0;
    hits_ = std::max(hits_, hits);
    if (!more && !full) {
      if (has_fallen_back(sight)) told_ = false;
      return std::nullopt;
    }
    if (told_) return std::nullopt;
    told_ = true;
    return finding(sight, new_hits);
  }

 private:
  static bool has_fallen_back(const Sight& sight) {
    if (sight.now == nullptr || !sight.now->pids || !sight.now->pids_limit) return false;
    return !at_least(*sight.now->pids, kBackPercent, *sight.now->pids_limit);
  }

  Finding finding(const Sight& sight, std::uint64_t new_hits) const {
    std::string text = job_text(sight.job);
    text += new_hits > 0 ? " was refused " + count_text(new_hits, "new task") + " at its limit"
                         : " has reached its limit of tasks";
    Finding found{kForkBomb.name, Severity::kCritical, {}, {{"pids_limit_hits", hits_}}};
    if (sight.now != nullptr) {
      const probe::Reading& now = *sight.now;
      if (now.pids && now.pids_limit) {
        text += ": " + std::to_string(*now.pids) + " of " + count_text(*now.pids_limit, "task");
        text += ", the jail's own first process among them";
      }
      found.evidence.push_back(fact("pids", now.pids));
      found.evidence.push_back(fact("pids_peak", now.pids_peak));
      found.evidence.push_back(fact("pids_limit", now.pids_limit));
    }
    if (sight.summary != nullptr) {
      found.evidence.push_back(fact_if("summary.pids_limit_hits", sight.summary->outcome.usage.pids_limit_hits));
    }
    found.text = std::move(text);
    return found;
  }

  std::uint64_t hits_ = 0;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_fork_bomb() { return std::make_unique<ForkBomb>(); }

}  // namespace outrigger::rules
