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
  std::vector<Figure> pids;
  std::vector<bool> told;
};

class PidsLimit : public ::testing::TestWithParam<Case> {};

TEST_P(PidsLimit, IsTold) {
  WatchedJob job(kPidsLimit);
  job.reading.pids_limit = GetParam().limit;
  std::vector<bool> told;
  for (const Figure& pids : GetParam().pids) {
    job.reading.pids = pids;
    told.push_back(job.look().has_value());
  }
  EXPECT_EQ(told, GetParam().told);
}

const Case kCases[] = {
    {"AtExactlyEightyPercent", 100U, {79U, 80U}, {false, true}},
    {"Once", 100U, {80U, 99U, 85U}, {true, false, false}},
    {"NotAgainAtSixty", 100U, {80U, 60U, 80U}, {true, false, false}},
    {"AgainAfterItFellBelowSixty", 100U, {80U, 59U, 80U}, {true, false, true}},
    {"AtTheLimitItIsTheForkBombs", 100U, {100U, 90U}, {false, false}},
    {"WithoutALimitThereIsNoShare", Absence::kNoLimit, {5000U}, {false}},
    {"WithoutACountThereIsNoShare", 100U, {Absence::kNoFile}, {false}},
};

INSTANTIATE_TEST_SUITE_P(Readings, PidsLimit, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(PidsLimitOnce, ALimitThatWasHitBetweenTwoReadingsIsTheForkBombs) {
  WatchedJob job(kPidsLimit);
  job.reading.pids = 30U;
  job.reading.pids_limit_hits = 2U;
  EXPECT_FALSE(job.look());
}

TEST(PidsLimitText, SaysHowManyOfWhat) {
  WatchedJob job(kPidsLimit);
  job.reading.pids = 27U;
  const auto finding = job.look();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(finding->text, "job j1 of tenant acme has 27 of 33 tasks, 81.8 %, the jail's own first process among them");
}

}  // namespace
}  // namespace outrigger::rules
