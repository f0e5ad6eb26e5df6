#include "rules/evidence.h"
#include "rules/kinds.h"
#include "rules/population.h"
#include "rules/text.h"

namespace outrigger::rules {
namespace {

constexpr std::chrono::seconds kPatience{2};  // for a jail to die of its job's end

class EscapeSigns : public Rule {
 public:
  std::optional<Finding> look(const Sight& sight) override {
    const Members* members = sight.members;
    if (!told_outside_ && members != nullptr && members->namespaces_known && !members->outside.empty()) {
      told_outside_ = true;
      return outside(sight, *members);
    }
    const bool overdue = sight.ended && sight.since_end >= kPatience;
    if (!told_alive_ && overdue && population_of(sight) == Population::kPopulated) {
      told_alive_ = true;
      return alive(sight);
    }
    return std::nullopt;
  }

 private:
  static Finding outside(const Sight& sight, const Members& members) {
    const std::uint64_t count = members.outside.size();
    return {kEscapeSigns.name,
            Severity::kCritical,
            count_text(count, "task") + " in the group of " + job_text(sight.job) + (count == 1 ? " is" : " are") +
                " not in the jail's pid namespace: pid " + pids_text(members.outside),
            {{"outside", count},
             {"outside_pids", pids_text(members.outside)},
             {"members", static_cast<std::uint64_t>(members.count)}}};
  }

  static Finding alive(const Sight& sight) {
    const bool listed = sight.members != nullptr && sight.members->count > 0;
    const std::uint64_t count = listed ? sight.members->count : *sight.now->pids;
    Finding found{kEscapeSigns.name,
                  Severity::kCritical,
                  count_text(count, "task") + " of " + job_text(sight.job) + (count == 1 ? " is" : " are") +
                      " still there " + time_text(sight.since_end) + " after its end",
                  {{"since_end_ms", static_cast<std::uint64_t>(sight.since_end.count())}}};
    if (sight.members != nullptr) {
      found.evidence.push_back({"members", static_cast<std::uint64_t>(sight.members->count)});
    }
    if (sight.now != nullptr) found.evidence.push_back(fact("pids", sight.now->pids));
    return found;
  }

  bool told_outside_ = false;
  bool told_alive_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_escape_signs() { return std::make_unique<EscapeSigns>(); }

}  // namespace outrigger::rules
