#include <gtest/gtest.h>

#include "rules/kinds.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;
using probe::Absence;
using probe::Figure;

struct Case {
  const char* name;
  std::chrono::milliseconds since;
  std::optional<std::size_t> members;
  Figure pids;
  bool told;
};

class LeakedCgroup : public ::testing::TestWithParam<Case> {};

TEST_P(LeakedCgroup, IsTold) {
  WatchedJob job(kLeakedCgroup);
  const Members members{.count = GetParam().members.value_or(0)};
  if (GetParam().members) job.members = &members;
  job.reading.pids = GetParam().pids;
  EXPECT_EQ(job.look_after_end(GetParam().since).has_value(), GetParam().told);
}

const Case kCases[] = {
    {"EmptyAfterFiveSeconds", 5000ms, {}, 0U, true},
    {"EmptyByItsMembers", 5000ms, 0, Absence::kNoFile, true},
    {"NotBefore", 4999ms, 0, 0U, false},
    {"NotWhileSomethingLivesInIt", 9000ms, {}, 1U, false},
    {"NotWhileAMemberIsListed", 9000ms, 1, 0U, false},
    {"NotWhereItMayBeGoingJustNow", 9000ms, {}, Absence::kNotRead, false},
};

INSTANTIATE_TEST_SUITE_P(Groups, LeakedCgroup, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(LeakedCgroupOnce, AGroupThatIsGoneIsNotLeaked) {
  WatchedJob job(kLeakedCgroup);
  job.reading.pids = 0U;
  job.look();
  EXPECT_FALSE(job.look_when_gone(9s));
}

TEST(LeakedCgroupOnce, IsAWarningThatIsNotRepeated) {
  WatchedJob job(kLeakedCgroup);
  job.reading.pids = 0U;
  job.reading.memory_bytes = 2 * kMiB;
  const auto finding = job.look_after_end(6s);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(
      finding->text,
      "the empty control group of job j1 of tenant acme is still there 6.00 s after its end, with 2.0 MiB charged "
      "to it");
  EXPECT_FALSE(job.look_after_end(7s));
}

}  // namespace
}  // namespace outrigger::rules
