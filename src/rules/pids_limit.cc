#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

constexpr double kWarnPercent = 80;
constexpr double kBackPercent = 60;

class PidsLimit : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    if (sight.ended || sight.now == nullptr || !sight.now->pids || !sight.now->pids_limit) return std::nullopt;
    const std::uint64_t pids = *sight.now->pids;
    const std::uint64_t limit = *sight.now->pids_limit;
    if (!at_least(pids, kBackPercent, limit)) told_ = false;
    const bool reached = pids >= limit || sight.now->pids_limit_hits.value_or(0) > hits_;
    hits_ = sight.now->pids_limit_hits.value_or(hits_);
    if (told_ || !at_least(pids, kWarnPercent, limit)) return std::nullopt;
    told_ = true;
    if (reached) return std::nullopt;  // that is the fork bomb's, and falling from there is no news
    return finding(sight, pids, limit);
  }

 private:
  static Finding finding(const Sight& sight, std::uint64_t pids, std::uint64_t limit) {
    const double share = 100.0 * static_cast<double>(pids) / static_cast<double>(limit);
    return {kPidsLimit.name,
            Severity::kWarning,
            job_text(sight.job) + " has " + std::to_string(pids) + " of " + count_text(limit, "task") + ", " +
                percent_text(share) + ", the jail's own first process among them",
            {{"pids", pids},
             {"pids_limit", limit},
             fact("pids_peak", sight.now->pids_peak),
             fact("pids_limit_hits", sight.now->pids_limit_hits)}};
  }

  std::uint64_t hits_ = 0;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_pids_limit() { return std::make_unique<PidsLimit>(); }

}  // namespace outrigger::rules
