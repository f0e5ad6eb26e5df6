#include "jailer/restart_pace.h"

#include <gtest/gtest.h>

namespace outrigger::jailer {
namespace {

using namespace std::chrono_literals;

TEST(RestartPace, OneThatServedIsFollowedAtOnce) {
  RestartPace pace;
  for (int death = 0; death < 100; ++death) EXPECT_EQ(pace.after(1h), 0ms);
  EXPECT_EQ(pace.failed_in_a_row(), 0U);
}

TEST(RestartPace, SomeQuickDeathsAreForgiven) {
  RestartPace pace;
  for (int death = 0; death < 3; ++death) EXPECT_EQ(pace.after(20ms), 0ms);
  EXPECT_EQ(pace.failed_in_a_row(), 3U);
}

TEST(RestartPace, ManyInARowMakeItSlowerAndNeverStopIt) {
  RestartPace pace;
  std::chrono::milliseconds last{0};
  for (int death = 0; death < 1000; ++death) {
    const auto pause = pace.after(0ms);
    EXPECT_GE(pause, last);
    EXPECT_LE(pause, 8s);
    last = pause;
  }
  EXPECT_EQ(last, 8s);
}

TEST(RestartPace, OneThatServedMakesUpForAllBefore) {
  RestartPace pace;
  for (int death = 0; death < 10; ++death) pace.after(0ms);
  EXPECT_EQ(pace.after(1s), 0ms);
  EXPECT_EQ(pace.after(0ms), 0ms);
  EXPECT_EQ(pace.failed_in_a_row(), 1U);
}

}  // namespace
}  // namespace outrigger::jailer
