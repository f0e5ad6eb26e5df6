#include <gtest/gtest.h>

#include "rules/kinds.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using Percent = std::optional<double>;
constexpr Percent kIdle = std::nullopt;

struct Case {
  const char* name;
  std::vector<Percent> percents;
  std::vector<bool> told;
};

class SchedulingContention : public ::testing::TestWithParam<Case> {};

TEST_P(SchedulingContention, IsTold) {
  WatchedJob job(kSchedulingContention);
  std::vector<bool> told;
  for (const Percent& percent : GetParam().percents) told.push_back(job.look_at_throttling(percent).has_value());
  EXPECT_EQ(told, GetParam().told);
}

const Case kCases[] = {
    {"WarnsAtExactlyTheThirdInterval", {40.0, 40.0, 40.0, 40.0}, {false, false, true, false}},
    {"ThirtyIsNotAbove", {30.0, 30.0, 30.0, 30.0}, {false, false, false, false}},
    {"JustAboveThirtyIs", {30.1, 30.1, 30.1}, {false, false, true}},
    {"AnIntervalBelowBreaksTheRow", {40.0, 40.0, 10.0, 40.0, 40.0}, {false, false, false, false, false}},
    {"AnIdleIntervalBreaksTheRow", {40.0, 40.0, kIdle, 40.0, 40.0}, {false, false, false, false, false}},
    {"TheFirstReadingHasNoInterval", {kIdle, 40.0, 40.0, 40.0}, {false, false, false, true}},
    {"NoneWhileItLasts", {50.0, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0}, {false, false, true, false, false, false, false}},
    {"AgainAfterItFellBack",
     {50.0, 50.0, 50.0, 30.0, 50.0, 50.0, 50.0},
     {false, false, true, false, false, false, true}},
    {"IdleIsNoFallingBack",
     {50.0, 50.0, 50.0, kIdle, 50.0, 50.0, 50.0},
     {false, false, true, false, false, false, false}},
    {"NeverOfAnIdleJob", {kIdle, kIdle, kIdle, kIdle}, {false, false, false, false}},
};

INSTANTIATE_TEST_SUITE_P(Intervals, SchedulingContention, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(SchedulingContentionByCounters, AResetCounterBreaksTheRow) {
  WatchedJob job(kSchedulingContention);
  std::vector<bool> told;
  for (const std::uint64_t total : {100'000U, 200'000U, 300'000U, 50'000U, 150'000U, 250'000U, 350'000U}) {
    job.reading.cpu_usage_usec = total;
    job.reading.throttled_usec = total;
    told.push_back(job.look().has_value());
  }
  EXPECT_EQ(told, (std::vector<bool>{false, false, false, false, false, false, true}));
}

TEST(SchedulingContentionByCounters, LooksInBetweenAreNoIntervals) {
  WatchedJob job(kSchedulingContention);
  EXPECT_FALSE(job.look_at_throttling(40.0));
  job.scheduled = false;
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(job.look_at_throttling(90.0));
  EXPECT_FALSE(job.look_at_throttling(kIdle));
  job.scheduled = true;
  EXPECT_FALSE(job.look_at_throttling(40.0));
  EXPECT_TRUE(job.look_at_throttling(40.0));
}

TEST(SchedulingContentionByCounters, ThrottlingThatIsNotAvailableIsNeverToldOf) {
  WatchedJob job(kSchedulingContention);
  for (std::uint64_t used = 0; used < 10; ++used) {
    job.reading.cpu_usage_usec = used * 1000;
    EXPECT_FALSE(job.look());
  }
}

TEST(SchedulingContentionText, NamesAllThreeIntervals) {
  WatchedJob job(kSchedulingContention);
  job.look_at_throttling(45.0);
  job.look_at_throttling(50.5);
  const auto finding = job.look_at_throttling(61.25);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_NE(finding->text.find("45.0 %, 50.5 % and 61.2 %"), std::string::npos) << finding->text;
}

}  // namespace
}  // namespace outrigger::rules
