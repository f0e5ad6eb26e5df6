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
  std::chrono::milliseconds interval;
  Figure quota;  // of a period of 100 ms
  std::vector<Figure> used;
  std::vector<bool> told;
};

class Runaway : public ::testing::TestWithParam<Case> {};

TEST_P(Runaway, IsTold) {
  WatchedJob job(kRunaway);
  job.interval = GetParam().interval;
  job.reading.cpu_quota_usec = GetParam().quota;
  std::vector<bool> told;
  for (const Figure& used : GetParam().used) {
    job.reading.cpu_usage_usec = used;
    told.push_back(job.look().has_value());
  }
  EXPECT_EQ(told, GetParam().told);
}

const Case kCases[] = {
    {"AfterTwoSecondsAtTheQuotaAndOnce",
     500ms,
     50'000U,
     {10'000U, 260'000U, 510'000U, 760'000U, 1'010'000U, 1'260'000U},
     {false, false, false, false, true, false}},
    {"NotBeforeTheThirdInterval", 1000ms, 50'000U, {0U, 500'000U, 1'000'000U, 1'500'000U}, {false, false, false, true}},
    {"AtNinetyFivePercent", 1000ms, 50'000U, {0U, 0U, 0U, 1'425'000U}, {false, false, false, true}},
    {"NotBelowThat", 1000ms, 50'000U, {0U, 0U, 0U, 1'424'999U}, {false, false, false, false}},
    {"WhatItUsedBeforeIsNotCounted",
     1000ms,
     50'000U,
     {900'000U, 900'000U, 900'000U, 1'500'000U},
     {false, false, false, false}},
    {"WithoutAQuotaTheCardsCoresCount",
     1000ms,
     Absence::kNoLimit,
     {0U, 500'000U, 1'000'000U, 1'500'000U},
     {false, false, false, true}},
    {"UsageThatIsNotKnownIsNoUsage", 1000ms, 50'000U, {0U, 1U, 2U, Absence::kNoKey}, {false, false, false, false}},
    {"AFallenCounterIsAnotherGroups", 1000ms, 50'000U, {5'000'000U, 1U, 2U, 3U}, {false, false, false, false}},
};

INSTANTIATE_TEST_SUITE_P(Readings, Runaway, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(RunawayText, SaysHowMuchInWhichTime) {
  WatchedJob job(kRunaway);
  job.interval = 1000ms;
  std::optional<Finding> finding;
  for (const std::uint64_t used : {0U, 500'000U, 1'000'000U, 1'500'000U}) {
    job.reading.cpu_usage_usec = used;
    finding = job.look();
  }
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(finding->text,
            "job j1 of tenant acme has run at its CPU quota of 0.50 cores ever since it is watched: 1.50 s of CPU in "
            "3.00 s");
}

}  // namespace
}  // namespace outrigger::rules
