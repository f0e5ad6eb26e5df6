#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

constexpr double kWarnPercent = 90;
constexpr double kBackPercent = 80;

class MemoryApproach : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    if (sight.ended || sight.now == nullptr || !sight.now->memory_bytes) return std::nullopt;
    const std::uint64_t used = *sight.now->memory_bytes;
    const std::uint64_t limit = sight.now->memory_limit_bytes.value_or(sight.job.limits.memory_bytes);
    if (limit == 0) return std::nullopt;
    if (!at_least(used, kBackPercent, limit)) told_ = false;
    if (told_ || !at_least(used, kWarnPercent, limit)) return std::nullopt;
    told_ = true;
    return finding(sight, used, limit);
  }

 private:
  static Finding finding(const Sight& sight, std::uint64_t used, std::uint64_t limit) {
    const double share = 100.0 * static_cast<double>(used) / static_cast<double>(limit);
    return {kMemoryApproach.name,
            Severity::kWarning,
            job_text(sight.job) + " uses " + bytes_text(used) + " of " + bytes_text(limit) + " of memory, " +
                percent_text(share),
            {{"memory_bytes", used},
             {"memory_limit_bytes", limit},
             fact("memory_limit_hits", sight.now->memory_limit_hits),
             fact("memory_stalled_permyriad", sight.now->memory_stalled_permyriad)}};
  }

  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_memory_approach() { return std::make_unique<MemoryApproach>(); }

}  // namespace outrigger::rules
