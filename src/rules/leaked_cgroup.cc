#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/population.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

constexpr std::chrono::seconds kPatience{5};  // for the daemon to remove it, which it tries again where it is busy

class LeakedCgroup : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    if (told_ || !sight.ended || sight.now == nullptr || sight.since_end < kPatience) return std::nullopt;
    if (population_of(sight) != Population::kEmpty) return std::nullopt;
    told_ = true;
    std::string text = "the empty control group of " + job_text(sight.job) + " is still there " +
                       time_text(sight.since_end) + " after its end";
    if (sight.now->memory_bytes) text += ", with " + bytes_text(*sight.now->memory_bytes) + " charged to it";
    return Finding{kLeakedCgroup.name,
                   Severity::kWarning,
                   std::move(text),
                   {{"since_end_ms", static_cast<std::uint64_t>(sight.since_end.count())},
                    fact("pids", sight.now->pids),
                    fact("memory_bytes", sight.now->memory_bytes)}};
  }

 private:
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_leaked_cgroup() { return std::make_unique<LeakedCgroup>(); }

}  // namespace outrigger::rules
