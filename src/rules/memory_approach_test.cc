#include <gtest/gtest.h>

#include "rules/kinds.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using probe::Absence;
using probe::Figure;

struct Case {
  const char* name;
  Figure limit;
  std::vector<Figure> used;
  std::vector<bool> told;
};

class MemoryApproachTable : public ::testing::TestWithParam<Case> {};

TEST_P(MemoryApproachTable, IsTold) {
  WatchedJob job(kMemoryApproach);
  job.reading.memory_limit_bytes = GetParam().limit;
  std::vector<bool> told;
  for (const Figure& used : GetParam().used) {
    job.reading.memory_bytes = used;
    told.push_back(job.look().has_value());
  }
  EXPECT_EQ(told, GetParam().told);
}

const Case kCases[] = {
    {"AtExactlyNinetyPercent", 1000U, {899U, 900U}, {false, true}},
    {"OnlyOnceWhileItStaysHigh", 1000U, {950U, 990U, 1000U}, {true, false, false}},
    {"NotAgainAtEighty", 1000U, {950U, 800U, 950U}, {true, false, false}},
    {"AgainAfterItFellBelowEighty", 1000U, {950U, 799U, 950U}, {true, false, true}},
    {"AFigureThatIsAwayChangesNothing", 1000U, {950U, Absence::kNoFile, 950U}, {true, false, false}},
    {"WithoutAKernelsLimitTheCardsCounts", Absence::kNoLimit, {115 * kMiB, 116 * kMiB}, {false, true}},
    {"ALimitOfZeroHasNoShare", 0U, {0U, 10U}, {false, false}},
};

INSTANTIATE_TEST_SUITE_P(Readings, MemoryApproachTable, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(MemoryApproach, SaysHowMuchOfWhat) {
  WatchedJob job(kMemoryApproach);
  job.reading.memory_bytes = 118 * kMiB;
  const auto finding = job.look();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->rule, "memory_approach");
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(finding->text, "job j1 of tenant acme uses 118.0 MiB of 128.0 MiB of memory, 92.2 %");
}

TEST(MemoryApproach, AJobThatHasEndedApproachesNothing) {
  WatchedJob job(kMemoryApproach);
  job.reading.memory_bytes = 128 * kMiB;
  EXPECT_FALSE(job.look_after_end(std::chrono::milliseconds(10)));
}

}  // namespace
}  // namespace outrigger::rules
