#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

using std::chrono::microseconds;

constexpr double kShare = 0.95;
constexpr std::chrono::seconds kShortest{2};
constexpr int kIntervals = 3;

// Cores the job may use at a time: what the kernel enforces, else what the card says.
double cores_of(const Sight& sight) {
  const probe::Reading& now = *sight.now;
  if (!now.cpu_quota_usec || now.cpu_period_usec.value_or(0) == 0) return sight.job.limits.cpu_cores;
  return static_cast<double>(*now.cpu_quota_usec) / static_cast<double>(*now.cpu_period_usec);
}

class Runaway : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    if (told_ || sight.ended || sight.now == nullptr || sight.first == nullptr) return std::nullopt;
    if (sight.before != nullptr && sight.scheduled) ++intervals_;
    if (intervals_ < kIntervals || sight.observed < kShortest) return std::nullopt;
    const auto used = rise(sight.first->cpu_usage_usec, sight.now->cpu_usage_usec);
    const double allowed = cores_of(sight) * static_cast<double>(microseconds(sight.observed).count());
    if (!used || allowed <= 0 || static_cast<double>(*used) < kShare * allowed) return std::nullopt;
    told_ = true;
    return finding(sight, microseconds(*used));
  }

 private:
  static Finding finding(const Sight& sight, microseconds used) {
    return {kRunaway.name,
            Severity::kWarning,
            job_text(sight.job) + " has run at its CPU quota of " + cores_text(cores_of(sight)) +
                " ever since it is watched: " + time_text(used) + " of CPU in " + time_text(sight.observed),
            {{"cpu_used_usec", static_cast<std::uint64_t>(used.count())},
             {"observed_ms", static_cast<std::uint64_t>(sight.observed.count())},
             {"cpu_cores", cores_of(sight)},
             fact("cpu_quota_usec", sight.now->cpu_quota_usec),
             fact("cpu_period_usec", sight.now->cpu_period_usec)}};
  }

  int intervals_ = 0;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_runaway() { return std::make_unique<Runaway>(); }

}  // namespace outrigger::rules
