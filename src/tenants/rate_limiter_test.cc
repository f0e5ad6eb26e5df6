#include "tenants/rate_limiter.h"

#include <gtest/gtest.h>

#include "tenants/quotas.h"

namespace outrigger::tenants {
namespace {

using namespace std::chrono_literals;

// A clock that goes when it is told.
class RateLimiterTest : public ::testing::Test {
 protected:
  RateLimiter::Verdict take(const std::string& tenant, std::uint32_t per_minute) {
    return limiter_.take(tenant, per_minute, now_);
  }
  // How many single jobs are let through now.
  int burst(const std::string& tenant, std::uint32_t per_minute) {
    int allowed = 0;
    while (take(tenant, per_minute).allowed) ++allowed;
    return allowed;
  }

  RateLimiter limiter_;
  RateLimiter::Time now_ = RateLimiter::Time{1000s};
};

TEST_F(RateLimiterTest, LetsAMinutesJobsThroughAtOnceAndThenOneAtATime) {
  EXPECT_EQ(burst("acme", 6), 6);
  const auto refused = take("acme", 6);
  EXPECT_EQ(refused.retry_after, 10s);
  EXPECT_EQ(refused.remaining, 0U);
  EXPECT_EQ(refused.reset, 60s);
  now_ += 9999ms;
  EXPECT_FALSE(take("acme", 6).allowed);
  now_ += 1ms;
  EXPECT_EQ(burst("acme", 6), 1);
  now_ += 60s;
  EXPECT_EQ(burst("acme", 6), 6);
  now_ += 1h;
  EXPECT_EQ(burst("acme", 6), 6) << "what is not used is not saved beyond a minute's";
}

TEST_F(RateLimiterTest, InAnyLongTimeThereAreNoMoreThanThePaceAndOneBucket) {
  int allowed = 0;
  for (int step = 0; step < 10 * 60 * 10; ++step) {  // ten minutes, asked ten times a second
    if (take("acme", 30).allowed) ++allowed;
    now_ += 100ms;
  }
  EXPECT_LE(allowed, 10 * 30 + 30);
  EXPECT_GE(allowed, 10 * 30);
}

TEST_F(RateLimiterTest, TellsWhatIsLeftAndWhenAllIs) {
  const auto first = take("acme", 60);
  EXPECT_TRUE(first.allowed);
  EXPECT_EQ(first.limit, 60U);
  EXPECT_EQ(first.remaining, 59U);
  EXPECT_EQ(first.reset, 1s);
  EXPECT_EQ(first.retry_after, 0s);
  for (int i = 0; i < 9; ++i) take("acme", 60);
  now_ += 3500ms;
  const auto seen = limiter_.look("acme", 60, now_);
  EXPECT_EQ(seen.remaining, 53U);
  EXPECT_EQ(seen.reset, 7s) << "6.5 s, rounded up";
  EXPECT_EQ(limiter_.look("other", 60, now_).remaining, 60U);
  EXPECT_EQ(limiter_.look("other", 60, now_).reset, 0s);
}

TEST_F(RateLimiterTest, TenantsHaveNothingToDoWithEachOther) {
  EXPECT_EQ(burst("acme", 3), 3);
  EXPECT_EQ(burst("globex", 3), 3);
}

TEST_F(RateLimiterTest, AQuotaThatChangesHoldsAtOnce) {
  EXPECT_EQ(burst("acme", 60), 60);
  EXPECT_FALSE(take("acme", 6).allowed);
  EXPECT_EQ(take("acme", 6).retry_after, 10s);
  now_ += 10s;
  EXPECT_EQ(burst("acme", 6), 1);
  now_ += 10s;
  EXPECT_EQ(burst("acme", 120), 20) << "ten seconds' worth of the new one";
}

TEST_F(RateLimiterTest, TheLargestQuotaIsCountedToo) {
  EXPECT_EQ(burst("acme", kMaxPerMinute), static_cast<int>(kMaxPerMinute));
  now_ += 60us;
  EXPECT_TRUE(take("acme", kMaxPerMinute).allowed);
  EXPECT_FALSE(take("acme", kMaxPerMinute).allowed);
}

TEST_F(RateLimiterTest, ASmallQuotaWaitsLong) {
  EXPECT_TRUE(take("acme", 1).allowed);
  EXPECT_EQ(take("acme", 1).retry_after, 60s);
  now_ += 59s;
  EXPECT_EQ(take("acme", 1).retry_after, 1s);
  now_ += 1s;
  EXPECT_TRUE(take("acme", 1).allowed);
}

}  // namespace
}  // namespace outrigger::tenants
