#include <gmock/gmock.h>

#include "store_redis/server_test_support.h"

namespace outrigger::store_redis {
namespace {

using State = store::KeyClaim::State;

class RedisIdempotency : public RedisServerTest {
 protected:
  RedisIdempotency() {
    auto made = make_redis_idempotency_store(options("unused"));
    if (!made || !(*made)->open()) throw std::runtime_error("no store");
    store_ = std::move(*made);
  }
  State claim(const std::string& claimant, const std::string& fingerprint = "f") {
    return store_->claim("acme/k 1", fingerprint, claimant, 60s)->state;
  }

  std::unique_ptr<store::IdempotencyStore> store_;
};

TEST_F(RedisIdempotency, TheFirstClaimsAndOthersWait) {
  EXPECT_EQ(claim("one"), State::kClaimed);
  EXPECT_EQ(claim("two"), State::kPending);
  EXPECT_EQ(claim("two", "another body"), State::kOtherBody);
  EXPECT_EQ(claim("one"), State::kClaimed);  // whose first claim's answer was lost
}

TEST_F(RedisIdempotency, TheAnswerIsGivenAgain) {
  ASSERT_EQ(claim("one"), State::kClaimed);
  ASSERT_TRUE(store_->answer("acme/k 1", "one", std::string("{\"a\":\0}", 7), 100s));
  const auto known = store_->claim("acme/k 1", "f", "two", 60s);
  EXPECT_EQ(known->state, State::kAnswered);
  EXPECT_EQ(known->answer, std::string("{\"a\":\0}", 7));
  EXPECT_EQ(claim("two", "another body"), State::kOtherBody);
  EXPECT_THAT(std::stoi(redis({"TTL", key("idempotency:acme/k 1")})),
              testing::AllOf(testing::Gt(60), testing::Le(100)));
}

TEST_F(RedisIdempotency, OnlyTheClaimantAnswersOrReleases) {
  ASSERT_EQ(claim("one"), State::kClaimed);
  ASSERT_TRUE(store_->answer("acme/k 1", "two", "forged", 100s));
  ASSERT_TRUE(store_->release("acme/k 1", "two"));
  EXPECT_EQ(claim("two"), State::kPending);
  ASSERT_TRUE(store_->release("acme/k 1", "one"));
  EXPECT_EQ(claim("two"), State::kClaimed);
}

TEST_F(RedisIdempotency, AnAnswerIsNotReleased) {
  ASSERT_EQ(claim("one"), State::kClaimed);
  ASSERT_TRUE(store_->answer("acme/k 1", "one", "yes", 100s));
  ASSERT_TRUE(store_->release("acme/k 1", "one"));
  EXPECT_EQ(claim("two"), State::kAnswered);
}

TEST_F(RedisIdempotency, AClaimWhoseLeaseRanOutIsFree) {
  ASSERT_EQ(store_->claim("acme/k 1", "f", "one", 1ms)->state, State::kClaimed);
  wait_until([&] { return redis({"EXISTS", key("idempotency:acme/k 1")}) == "0"; }, "the lease's end");
  EXPECT_EQ(claim("two", "another body"), State::kClaimed);
  ASSERT_TRUE(store_->answer("acme/k 1", "one", "too late", 100s));
  EXPECT_EQ(claim("three", "another body"), State::kPending);
  EXPECT_TRUE(store_->expire(100));
}

}  // namespace
}  // namespace outrigger::store_redis
