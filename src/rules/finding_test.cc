#include "rules/finding.h"

#include <gtest/gtest.h>

#include <set>

#include "rules/rule.h"

namespace outrigger::rules {
namespace {

TEST(Finding, SeveritiesHaveNames) {
  EXPECT_EQ(severity_name(Severity::kInfo), "info");
  EXPECT_EQ(severity_name(Severity::kWarning), "warning");
  EXPECT_EQ(severity_name(Severity::kCritical), "critical");
}

TEST(Finding, AFigureThatIsNotKnownIsNoZero) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(fact("pids", probe::Absence::kNoFile).value));
  EXPECT_EQ(std::get<std::uint64_t>(fact("pids", probe::Figure(0U)).value), 0U);
}

TEST(Rules, EachHasANameOfItsOwnAndCanBeMade) {
  std::set<std::string_view> names;
  for (const RuleKind& kind : all_rules()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_FALSE(kind.about.empty()) << kind.name;
    EXPECT_NE(kind.make(), nullptr) << kind.name;
  }
  EXPECT_EQ(names.size(), 9U);
}

TEST(Rules, NoneSpeaksOfAJobOfWhichNothingIsKnown) {
  const Subject job;
  for (const RuleKind& kind : all_rules()) {
    const auto rule = kind.make();
    Sight sight{.job = job};
    EXPECT_FALSE(rule->look(sight)) << kind.name;
    const probe::Reading nothing;
    sight.first = sight.before = sight.now = &nothing;
    EXPECT_FALSE(rule->look(sight)) << kind.name;
    sight.ended = true;
    sight.since_end = std::chrono::hours(1);
    EXPECT_FALSE(rule->look(sight)) << kind.name;
  }
}

}  // namespace
}  // namespace outrigger::rules
