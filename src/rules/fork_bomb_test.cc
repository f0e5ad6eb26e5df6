#include <gtest/gtest.h>

#include "rules/kinds.h"
#include "rules/summaries.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;
using probe::Absence;
using probe::Figure;

struct Step {
  Figure pids, hits;
};

struct Case {
  const char* name;
  Figure limit;
  std::vector<Step> steps;
  std::vector<bool> told;
};

class ForkBomb : public ::testing::TestWithParam<Case> {};

TEST_P(ForkBomb, IsTold) {
  WatchedJob job(kForkBomb);
  job.reading.pids_limit = GetParam().limit;
  std::vector<bool> told;
  for (const Step& step : GetParam().steps) {
    job.reading.pids = step.pids;
    job.reading.pids_limit_hits = step.hits;
    told.push_back(job.look().has_value());
  }
  EXPECT_EQ(told, GetParam().told);
}

const Case kCases[] = {
    {"WhenAForkWasRefused", 33U, {{5U, 0U}, {5U, 1U}}, {false, true}},
    {"WhenOneWasRefusedBeforeTheFirstReading", 33U, {{5U, 1U}}, {true}},
    {"WhenTheTasksAreAtTheLimit", 33U, {{32U, 0U}, {33U, 0U}}, {false, true}},
    {"OnceWhileItLasts", 33U, {{33U, 4U}, {33U, 9U}, {20U, 9U}, {33U, 12U}}, {true, false, false, false}},
    {"AgainAfterAQuietIntervalBelowHalf", 33U, {{33U, 4U}, {16U, 4U}, {33U, 4U}}, {true, false, true}},
    {"AnIntervalWithRefusalsIsNotQuiet", 33U, {{33U, 4U}, {16U, 5U}, {33U, 6U}}, {true, false, false}},
    {"CountersThatAreNotThereTellNothing", Absence::kNoLimit, {{900U, Absence::kNoFile}}, {false}},
    {"RefusalsTellWithoutALimit", Absence::kNotRead, {{Absence::kNotRead, 3U}}, {true}},
    {"AJobOfOneTaskIsNotABomb", 2U, {{2U, 0U}, {2U, 0U}}, {false, false}},
    {"AJobOfOneTaskThatForksIs", 2U, {{2U, 0U}, {2U, 1U}}, {false, true}},
};

INSTANTIATE_TEST_SUITE_P(Readings, ForkBomb, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(ForkBombText, SaysHowManyWereRefused) {
  WatchedJob job(kForkBomb);
  job.reading.pids = 33U;
  job.reading.pids_limit_hits = 7U;
  const auto finding = job.look();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kCritical);
  EXPECT_EQ(finding->text,
            "job j1 of tenant acme was refused 7 new tasks at its limit: 33 of 33 tasks, the jail's own first process "
            "among them");
}

TEST(ForkBombAtTheEnd, OfAShortOneTheSummaryTells) {
  WatchedJob job(kForkBomb);
  auto summary = timeout();
  summary.outcome.usage.pids_limit_hits = 400;
  EXPECT_TRUE(job.look_when_gone(5ms, &summary));
  EXPECT_FALSE(job.look_when_gone(500ms, &summary));
}

}  // namespace
}  // namespace outrigger::rules
