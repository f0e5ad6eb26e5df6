#include "rules/sight.h"

#include <gtest/gtest.h>

namespace outrigger::rules {
namespace {

using probe::Absence;
using probe::Figure;

struct Case {
  const char* name;
  Figure used_before, throttled_before, used_now, throttled_now;
  std::optional<double> percent;
};

class Throttling : public ::testing::TestWithParam<Case> {};

TEST_P(Throttling, IsTheShareOfRunnableTime) {
  probe::Reading before;
  before.cpu_usage_usec = GetParam().used_before;
  before.throttled_usec = GetParam().throttled_before;
  probe::Reading now;
  now.cpu_usage_usec = GetParam().used_now;
  now.throttled_usec = GetParam().throttled_now;
  EXPECT_EQ(throttling_percent(before, now), GetParam().percent);
}

const Case kCases[] = {
    {"Half", 100U, 50U, 600U, 550U, 50.0},
    {"None", 100U, 50U, 600U, 50U, 0.0},
    {"HeldBackAllTheTime", 100U, 50U, 100U, 550U, 100.0},
    {"IdleIsAbsentNotZero", 100U, 50U, 100U, 50U, {}},
    {"AFallenUsageIsAnotherGroups", 100U, 50U, 99U, 60U, {}},
    {"AFallenThrottledTimeIsAnotherGroups", 100U, 50U, 200U, 49U, {}},
    {"WithUsageLinesOnlyItIsNotAvailable", 100U, Absence::kNoKey, 200U, Absence::kNoKey, {}},
    {"NotAvailableBefore", Absence::kNotRead, 0U, 200U, 10U, {}},
};

INSTANTIATE_TEST_SUITE_P(Intervals, Throttling, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace outrigger::rules
