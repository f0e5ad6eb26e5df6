#include "api/feed_guard.h"

#include <gtest/gtest.h>

namespace outrigger::api {
namespace {

TEST(FeedGuard, CountsAllStdin) {
  FeedGuard guard;
  guard.count(FeedGuard::kMaxTotal - 10);
  EXPECT_FALSE(guard.feed(10, 0));
  const auto refused = guard.feed(1, 0);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, base::Code::kTooLarge);
  FeedGuard beyond;
  beyond.count(FeedGuard::kMaxTotal + 1);
  EXPECT_TRUE(beyond.feed(1, 0));
}

TEST(FeedGuard, LooksAtWhatWaits) {
  FeedGuard guard;
  EXPECT_FALSE(guard.feed(FeedGuard::kMaxPending, 0));
  EXPECT_FALSE(guard.feed(1, FeedGuard::kMaxPending - 1));
  EXPECT_TRUE(guard.feed(1, FeedGuard::kMaxPending));
  EXPECT_TRUE(guard.feed(2, FeedGuard::kMaxPending - 1));
}

TEST(FeedGuard, TakesABurstAndThenSoManyASecond) {
  FeedGuard guard;
  FeedGuard::Clock::time_point now{std::chrono::hours{1}};
  for (int i = 0; i < FeedGuard::kBurst; ++i) EXPECT_FALSE(guard.control(now)) << i;
  EXPECT_TRUE(guard.control(now));
  FeedGuard patient;
  for (int i = 0; i < 10 * FeedGuard::kBurst; ++i, now += FeedGuard::kOneIn) EXPECT_FALSE(patient.control(now)) << i;
}

}  // namespace
}  // namespace outrigger::api
