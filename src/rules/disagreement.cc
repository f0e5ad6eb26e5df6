#include "rules/differences.h"
#include "rules/kinds.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

class Disagreement : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    if (judged_) return std::nullopt;
    if (sight.now != nullptr) {
      observed_.take(sight.first, *sight.now);
    } else if (sight.before != nullptr) {
      observed_.take(sight.first, *sight.before);
    }
    if (!sight.ended || sight.summary == nullptr) return std::nullopt;
    judged_ = true;
    return judge(*sight.summary, sight.job);
  }

 private:
  std::optional<Finding> judge(const wire::Termination& summary, const Subject& job) const {
    Differences found;
    compare_within(summary, found);
    // A job that was never seen alive has no card: its subject is made of the summary.
    if (observed_.version) compare_with_card(summary, job, found);
    compare_with_readings(summary, observed_, found);
    if (!found.any()) return std::nullopt;
    return Finding{kDisagreement.name, Severity::kCritical,
                   "the daemon's summary of " + job_text(job) + " does not hold: " + found.text(), found.evidence()};
  }

  Observed observed_;
  bool judged_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_disagreement() { return std::make_unique<Disagreement>(); }

}  // namespace outrigger::rules
