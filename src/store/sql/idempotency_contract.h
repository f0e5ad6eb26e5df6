#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/idempotency_store.h"

// What every IdempotencyStore keeps, whatever is below it. `Place` is an empty database: its make_keys() gives a store
// in it.
namespace outrigger::store::sql {

template <typename Place>
class IdempotencyContract : public ::testing::Test {
 protected:
  using State = KeyClaim::State;
  static constexpr std::chrono::milliseconds kLease{60'000};
  static constexpr std::chrono::milliseconds kNoLease{0};
  static constexpr std::chrono::seconds kLifetime{3600};

  KeyClaim claim(const std::string& key, const std::string& fingerprint, const std::string& claimant,
                 std::chrono::milliseconds lease = kLease) {
    const auto claimed = store_->claim(key, fingerprint, claimant, lease);
    EXPECT_TRUE(claimed.has_value()) << claimed.error().text();
    return claimed.value_or(KeyClaim{});
  }
  State state(const std::string& key, const std::string& fingerprint, const std::string& claimant) {
    return claim(key, fingerprint, claimant).state;
  }

  Place place_;
  std::unique_ptr<IdempotencyStore> store_ = place_.make_keys();
};

TYPED_TEST_SUITE_P(IdempotencyContract);

TYPED_TEST_P(IdempotencyContract, TheFirstClaimsAndItsAnswerIsGivenAgain) {
  using State = KeyClaim::State;
  ASSERT_TRUE(this->store_->open());
  EXPECT_EQ(this->state("k", "f", "first"), State::kClaimed);
  EXPECT_EQ(this->state("k", "f", "second"), State::kPending);
  EXPECT_EQ(this->state("k", "other", "second"), State::kOtherBody);
  ASSERT_TRUE(this->store_->answer("k", "first", "{\"a\":1}", this->kLifetime));
  const auto again = this->claim("k", "f", "third");
  EXPECT_EQ(again.state, State::kAnswered);
  EXPECT_EQ(again.answer, "{\"a\":1}");
  EXPECT_EQ(this->state("k", "other", "third"), State::kOtherBody);
  EXPECT_EQ(this->state("K", "other", "third"), State::kClaimed);
}

TYPED_TEST_P(IdempotencyContract, AClaimantThatAsksAgainStillHasIt) {
  EXPECT_EQ(this->state("k", "f", "first"), KeyClaim::State::kClaimed);
  EXPECT_EQ(this->state("k", "f", "first"), KeyClaim::State::kClaimed);
}

TYPED_TEST_P(IdempotencyContract, AReleasedKeyIsFreeAndOnlyItsClaimantReleases) {
  using State = KeyClaim::State;
  EXPECT_EQ(this->state("k", "f", "first"), State::kClaimed);
  ASSERT_TRUE(this->store_->release("k", "second"));
  EXPECT_EQ(this->state("k", "f", "second"), State::kPending);
  ASSERT_TRUE(this->store_->release("k", "first"));
  EXPECT_EQ(this->state("k", "other", "second"), State::kClaimed);
}

TYPED_TEST_P(IdempotencyContract, ALeaseThatRanOutIsNone) {
  using State = KeyClaim::State;
  EXPECT_EQ(this->claim("k", "f", "first", this->kNoLease).state, State::kClaimed);
  EXPECT_EQ(this->state("k", "other", "second"), State::kClaimed);
  ASSERT_TRUE(this->store_->answer("k", "first", "late", this->kLifetime));
  EXPECT_EQ(this->state("k", "other", "third"), State::kPending) << "the late answer is nobody's";
}

TYPED_TEST_P(IdempotencyContract, AnAnswerIsForgottenAfterItsLifetime) {
  EXPECT_EQ(this->state("k", "f", "first"), KeyClaim::State::kClaimed);
  ASSERT_TRUE(this->store_->answer("k", "first", "x", std::chrono::seconds{0}));
  ASSERT_TRUE(this->store_->expire(10));
  EXPECT_EQ(this->state("k", "other", "second"), KeyClaim::State::kClaimed);
}

TYPED_TEST_P(IdempotencyContract, AnyBytesAreAnAnswer) {
  using namespace std::string_literals;
  for (const std::string& bytes : {""s, "\0a\\x\n'\xff"s, std::string(1U << 20, '\\')}) {
    const std::string key = std::to_string(bytes.size());
    EXPECT_EQ(this->state(key, "f", "first"), KeyClaim::State::kClaimed);
    ASSERT_TRUE(this->store_->answer(key, "first", bytes, this->kLifetime));
    const auto again = this->claim(key, "f", "second");
    EXPECT_EQ(again.state, KeyClaim::State::kAnswered);
    EXPECT_TRUE(again.answer == bytes) << key;
  }
}

TYPED_TEST_P(IdempotencyContract, OneOfManyAtOnceClaims) {
  for (int round = 0; round < 10; ++round) {
    const std::string key = std::to_string(round);
    std::atomic<int> claimed = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        const auto claim = this->place_.make_keys()->claim(key, "f", std::to_string(i), this->kLease);
        EXPECT_TRUE(claim.has_value()) << claim.error().text();
        if (claim && claim->state == KeyClaim::State::kClaimed) ++claimed;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(claimed, 1);
  }
}

REGISTER_TYPED_TEST_SUITE_P(IdempotencyContract, TheFirstClaimsAndItsAnswerIsGivenAgain,
                            AClaimantThatAsksAgainStillHasIt, AReleasedKeyIsFreeAndOnlyItsClaimantReleases,
                            ALeaseThatRanOutIsNone, AnAnswerIsForgottenAfterItsLifetime, AnyBytesAreAnAnswer,
                            OneOfManyAtOnceClaims);

}  // namespace outrigger::store::sql
