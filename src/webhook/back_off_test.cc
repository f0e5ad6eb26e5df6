#include "webhook/back_off.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace outrigger::webhook {
namespace {

using namespace std::chrono_literals;

TEST(BackOff, DoublesWithAFifthOfJitter) {
  auto plain = 1000ms;
  for (unsigned attempt = 1; attempt < kMaxAttempts; ++attempt, plain *= 2) {
    for (int seed = 0; seed < 100; ++seed) {
      const auto wait = retry_after(attempt, "job-" + std::to_string(seed));
      ASSERT_TRUE(wait);
      EXPECT_GE(*wait, plain * 8 / 10);
      EXPECT_LE(*wait, plain * 12 / 10);
    }
  }
}

TEST(BackOff, EndsAfterEightAttempts) {
  EXPECT_TRUE(retry_after(7, "j"));
  EXPECT_FALSE(retry_after(8, "j"));
  EXPECT_FALSE(retry_after(9, "j"));
  EXPECT_FALSE(retry_after(8, "j", 10s));
}

TEST(BackOff, SpreadsAndIsTheSameForTheSame) {
  std::set<std::chrono::milliseconds> waits;
  for (int seed = 0; seed < 100; ++seed) waits.insert(*retry_after(3, std::to_string(seed)));
  EXPECT_GT(waits.size(), 20U);
  EXPECT_EQ(retry_after(3, "j"), retry_after(3, "j"));
}

TEST(BackOff, HeedsWhatTheServerAsksWithinAnHour) {
  EXPECT_EQ(retry_after(1, "j", 30s), 30s);
  EXPECT_EQ(retry_after(1, "j", 24h), 1h);
  EXPECT_EQ(retry_after(1, "j", -5s), retry_after(1, "j"));
  EXPECT_GE(*retry_after(7, "j", 1s), 50s);
}

}  // namespace
}  // namespace outrigger::webhook
