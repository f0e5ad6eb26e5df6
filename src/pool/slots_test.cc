#include "pool/slots.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <vector>

namespace outrigger::pool {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Acquired = base::Result<SlotLease>;

class SlotsTest : public ::testing::Test {
 protected:
  // Leases that go with the fixture would tell a test that has returned.
  ~SlotsTest() override {
    if (slots_) slots_->on_spare({});
  }

  // Starts an acquisition; its result appears in results_ at `index` once it is there.
  void acquire(Slots& slots, std::size_t index, std::chrono::milliseconds timeout, run::Cancellation& cancellation,
               Slots::Claim claim = {"t"}) {
    asio::co_spawn(context_, run(slots, index, timeout, cancellation, std::move(claim)), asio::detached);
  }
  // One of a tenant, which waits as long as it takes.
  void acquire_for(Slots& slots, std::size_t index, std::string tenant, std::uint32_t most = 0) {
    acquire(slots, index, 1h, none_, {std::move(tenant), most});
  }
  asio::awaitable<void> run(Slots& slots, std::size_t index, std::chrono::milliseconds timeout,
                            run::Cancellation& cancellation, Slots::Claim claim) {
    auto result = co_await slots.acquire(std::move(claim), timeout, cancellation);
    order_.push_back(index);
    results_.at(index).emplace(std::move(result));
  }
  void acquire_spare(Slots& slots, std::size_t index, Slots::Claim claim = {"t"}) {
    asio::co_spawn(context_, run_spare(slots, index, std::move(claim)), asio::detached);
  }
  asio::awaitable<void> run_spare(Slots& slots, std::size_t index, Slots::Claim claim) {
    auto result = co_await slots.acquire_spare(std::move(claim), none_);
    order_.push_back(index);
    results_.at(index).emplace(std::move(result));
  }
  // Gives back what this one got.
  void release(std::size_t index) {
    ASSERT_TRUE(results_.at(index) && results_.at(index)->has_value()) << index;
    results_.at(index).reset();
    settle();
  }
  [[nodiscard]] std::optional<base::Code> code(std::size_t index) const {
    const auto& result = results_.at(index);
    return result && !result->has_value() ? std::optional(result->error().code) : std::nullopt;
  }
  void settle() {
    context_.restart();
    context_.poll();
  }

  Slots& make_slots(std::size_t count, std::size_t max_waiting, std::size_t max_spare) {
    return slots_.emplace(context_.get_executor(), count, max_waiting, max_spare);
  }

  asio::io_context context_;
  std::optional<Slots> slots_;  // outlives the leases
  std::vector<std::optional<Acquired>> results_{2048};
  std::vector<std::size_t> order_;
  run::Cancellation none_;
};

TEST_F(SlotsTest, WaitersAreServedInTheOrderTheyCame) {
  Slots& slots = make_slots(1, 10, 1);
  for (std::size_t i = 0; i < 4; ++i) acquire(slots, i, 1h, none_);
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0}));
  EXPECT_EQ(slots.waiting(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    results_[i].reset();
    settle();
  }
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 1, 2, 3}));
  results_[3].reset();
  EXPECT_EQ(slots.used(), 0U);
}

TEST_F(SlotsTest, ADirectRequestComesBeforeAQueuedOne) {
  Slots& slots = make_slots(1, 10, 1);
  acquire(slots, 0, 1h, none_);
  settle();
  acquire_spare(slots, 1);
  acquire(slots, 2, 1h, none_);
  settle();
  EXPECT_EQ(slots.spare(), 0U);
  results_[0].reset();
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 2}));
  results_[2].reset();
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 2, 1}));
  results_[1].reset();
  EXPECT_EQ(slots.used(), 0U);
}

TEST_F(SlotsTest, QueuedJobsHaveAShareAndNoMore) {
  Slots& slots = make_slots(3, 10, 2);
  std::size_t told = 0;
  slots.on_spare([&told] { ++told; });
  EXPECT_EQ(slots.spare(), 2U);
  for (std::size_t i = 0; i < 3; ++i) acquire_spare(slots, i);
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(slots.spare(), 0U);
  acquire(slots, 3, 1h, none_);
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 1, 3})) << "the third place is kept for direct requests";
  EXPECT_EQ(told, 0U);
  results_[0].reset();
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 1, 3, 2}));
  EXPECT_GT(told, 0U);
}

TEST_F(SlotsTest, SomeMayWaitWhileQueuedJobsRunAndAreAskedForSomeAtATime) {
  Slots& slots = make_slots(4, 10, 4);
  EXPECT_EQ(slots.spare(), 4U) << "none waits where none runs";
  for (std::size_t i = 0; i < 4; ++i) acquire_spare(slots, i);
  settle();
  EXPECT_EQ(slots.spare(), 2U) << "half as many more";
  acquire_spare(slots, 4);
  settle();
  EXPECT_EQ(slots.spare(), 0U) << "not for one";
  results_[0].reset();
  settle();
  EXPECT_EQ(order_.size(), 5U);
  EXPECT_EQ(slots.spare(), 2U);
}

TEST_F(SlotsTest, WhileSparePlacesAreHeldWhoWaitsForOneIsSentAway) {
  Slots& slots = make_slots(1, 10, 1);
  acquire_spare(slots, 0);
  acquire_spare(slots, 1);
  settle();
  slots.hold_spare(true);
  acquire_spare(slots, 2);
  settle();
  EXPECT_TRUE(results_[0]->has_value()) << "who has one keeps it";
  for (const std::size_t i : {1U, 2U}) {
    ASSERT_TRUE(results_[i].has_value());
    ASSERT_FALSE(results_[i]->has_value());
    EXPECT_EQ(results_[i]->error().code, base::Code::kPaused);
  }
  EXPECT_EQ(slots.spare(), 0U);
  results_[0].reset();
  slots.hold_spare(false);
  EXPECT_EQ(slots.spare(), 1U);
  acquire_spare(slots, 3);
  settle();
  EXPECT_TRUE(results_[3]->has_value());
}

TEST_F(SlotsTest, CloseSendsAwayWhoWaitsForASparePlace) {
  Slots& slots = make_slots(1, 10, 1);
  acquire(slots, 0, 1h, none_);
  acquire_spare(slots, 1);
  settle();
  slots.close();
  settle();
  ASSERT_TRUE(results_[1].has_value());
  ASSERT_FALSE(results_[1]->has_value());
  EXPECT_EQ(results_[1]->error().code, base::Code::kPaused);
}

TEST_F(SlotsTest, WhoComesLaterDoesNotOvertakeAGrantUnderWay) {
  Slots& slots = make_slots(1, 10, 1);
  acquire(slots, 0, 1h, none_);
  acquire(slots, 1, 1h, none_);
  settle();
  results_[0].reset();           // granted to 1, which has not run yet
  acquire(slots, 2, 1h, none_);  // finds no free slot
  settle();
  EXPECT_EQ(order_, (std::vector<std::size_t>{0, 1}));
  results_[1].reset();
  settle();
  results_[2].reset();
}

TEST_F(SlotsTest, AWaitEndsAtItsTimeout) {
  Slots& slots = make_slots(0, 10, 0);
  acquire(slots, 0, 1ms, none_);
  context_.run();
  ASSERT_TRUE(results_[0].has_value());
  EXPECT_EQ(results_[0]->error().code, base::Code::kExhausted);
  EXPECT_EQ(slots.waiting(), 0U);
}

TEST_F(SlotsTest, ACancelledWaiterLeavesTheQueue) {
  Slots& slots = make_slots(0, 10, 0);
  run::Cancellation cancellation;
  acquire(slots, 0, 1h, cancellation);
  settle();
  cancellation.cancel(run::CancelReason::kClientLeft);
  settle();
  EXPECT_EQ(results_[0]->error().code, base::Code::kCancelled);
  EXPECT_EQ(slots.waiting(), 0U);
}

TEST_F(SlotsTest, MoreThanMayWaitAreRefusedAtOnce) {
  Slots& slots = make_slots(0, 1, 0);
  run::Cancellation first;
  acquire(slots, 0, 1h, first);
  acquire(slots, 1, 1h, none_);
  settle();
  EXPECT_FALSE(results_[0].has_value());
  EXPECT_EQ(results_[1]->error().code, base::Code::kExhausted);
  first.cancel(run::CancelReason::kRequested);
  settle();
}

TEST_F(SlotsTest, ClosingSendsAwayWaitersAndNewcomers) {
  Slots& slots = make_slots(0, 10, 0);
  acquire(slots, 0, 1h, none_);
  settle();
  slots.close();
  acquire(slots, 1, 1h, none_);
  settle();
  EXPECT_EQ(results_[0]->error().code, base::Code::kPaused);
  EXPECT_EQ(results_[1]->error().code, base::Code::kPaused);
}

using Order = std::vector<std::size_t>;

TEST_F(SlotsTest, AFreePlaceGoesToTheTenantWithTheFewestJobsRunning) {
  Slots& slots = make_slots(2, 10, 2);
  for (std::size_t i = 0; i < 5; ++i) acquire_for(slots, i, "a");
  acquire_for(slots, 5, "b");
  acquire_for(slots, 6, "b");
  settle();
  EXPECT_EQ(order_, (Order{0, 1}));
  release(0);
  EXPECT_EQ(order_, (Order{0, 1, 5})) << "b runs none, a one";
  release(1);
  EXPECT_EQ(order_, (Order{0, 1, 5, 2})) << "now b runs one, a none";
  release(5);
  EXPECT_EQ(order_, (Order{0, 1, 5, 2, 6}));
  release(6);
  EXPECT_EQ(order_, (Order{0, 1, 5, 2, 6, 3})) << "who is alone has all";
}

TEST_F(SlotsTest, OfTwoTenantsWithAsManyRunningWhoWaitsLongerIsServed) {
  Slots& slots = make_slots(1, 10, 1);
  acquire_for(slots, 0, "a");
  acquire_for(slots, 1, "c");
  acquire_for(slots, 2, "b");
  acquire_for(slots, 3, "a");
  settle();
  for (const std::size_t next : {0U, 1U, 2U, 3U}) release(next);
  EXPECT_EQ(order_, (Order{0, 1, 2, 3}));
}

TEST_F(SlotsTest, AFloodNeverKeepsAnotherTenantWaitingForMoreThanOneTurn) {
  Slots& slots = make_slots(4, 400, 4);
  for (std::size_t i = 0; i < 300; ++i) acquire_for(slots, i, "flood");
  settle();
  for (std::size_t turn = 0; turn < 10; ++turn) {
    const std::size_t mine = 1000 + turn;
    acquire_for(slots, mine, "b");
    settle();
    release(turn);
    EXPECT_EQ(order_.back(), mine) << "the next place is b's";
    release(mine);
  }
}

TEST_F(SlotsTest, ATenantHasNoMoreThanItsQuotaRunning) {
  Slots& slots = make_slots(4, 10, 4);
  for (std::size_t i = 0; i < 4; ++i) acquire_for(slots, i, "a", 2);
  settle();
  EXPECT_EQ(order_, (Order{0, 1}));
  EXPECT_EQ(slots.waiting(), 2U);
  acquire_for(slots, 4, "b", 2);
  settle();
  EXPECT_EQ(order_, (Order{0, 1, 4})) << "who waits for its own holds nobody up";
  EXPECT_EQ(slots.spare(), 1U) << "nor queued jobs";
  release(4);
  release(0);
  EXPECT_EQ(order_, (Order{0, 1, 4, 2}));
  release(1);
  release(2);
  release(3);
  EXPECT_EQ(slots.used(), 0U);
}

TEST_F(SlotsTest, WhoWaitsForItsOwnQuotaInVainIsToldSo) {
  Slots& slots = make_slots(2, 10, 2);
  acquire(slots, 0, 1h, none_, {"a", 1});
  acquire(slots, 1, 1ms, none_, {"a", 1});
  context_.run();
  EXPECT_EQ(code(1), base::Code::kOverQuota);
  EXPECT_EQ(slots.waiting(), 0U);
  context_.restart();
  acquire(slots, 2, 1h, none_, {"b", 1});
  acquire(slots, 3, 1ms, none_, {"c", 1});
  context_.run();
  EXPECT_EQ(code(3), base::Code::kExhausted) << "it has none running";
}

TEST_F(SlotsTest, AQuotaThatWasWaitedForInVainLetsTheNextOneIn) {
  Slots& slots = make_slots(2, 10, 2);
  run::Cancellation leaving;
  acquire_for(slots, 0, "a", 1);
  acquire(slots, 1, 1h, leaving, {"a", 1});
  acquire_for(slots, 2, "a", 2);  // its quota has been raised meanwhile
  settle();
  EXPECT_EQ(order_, (Order{0}));
  leaving.cancel(run::CancelReason::kClientLeft);
  settle();
  EXPECT_EQ(code(1), base::Code::kCancelled);
  EXPECT_EQ(order_, (Order{0, 1, 2}));
}

TEST_F(SlotsTest, WhereTooManyWaitTheLongestLineGivesWay) {
  Slots& slots = make_slots(1, 3, 1);
  for (std::size_t i = 0; i < 4; ++i) acquire_for(slots, i, "a");
  settle();
  acquire_for(slots, 4, "b");
  settle();
  EXPECT_EQ(code(3), base::Code::kExhausted) << "the newest of the longest line";
  EXPECT_EQ(slots.waiting(), 3U);
  acquire_for(slots, 5, "a");
  settle();
  EXPECT_EQ(code(5), base::Code::kExhausted) << "its own line is the longest";
  acquire_for(slots, 6, "c");
  settle();
  EXPECT_EQ(code(2), base::Code::kExhausted);
  acquire_for(slots, 7, "d");
  settle();
  EXPECT_EQ(code(7), base::Code::kExhausted) << "all lines are as short as its own would be";
  for (const std::size_t each : {0U, 1U, 4U, 6U}) release(each);
  EXPECT_EQ(slots.used(), 0U);
}

TEST_F(SlotsTest, QueuedJobsArePassedOverWhileTheirTenantHasItsQuota) {
  Slots& slots = make_slots(4, 10, 4);
  for (std::size_t i = 0; i < 3; ++i) acquire_spare(slots, i, {"a", 1});
  acquire_spare(slots, 3, {"b", 1});
  settle();
  EXPECT_EQ(order_, (Order{0, 3}));
  EXPECT_EQ(slots.spare(), 4U) << "those of a wait for their own, and for no place";
  acquire_for(slots, 4, "a", 1);
  settle();
  EXPECT_EQ(order_, (Order{0, 3})) << "queued jobs count";
  release(0);
  EXPECT_EQ(order_, (Order{0, 3, 4})) << "who waits for an answer comes first";
  release(4);
  EXPECT_EQ(order_, (Order{0, 3, 4, 1}));
  release(1);
  release(2);
  release(3);
  EXPECT_EQ(slots.used(), 0U);
}

TEST_F(SlotsTest, NoMoreAreAskedForWhenVeryManyWaitForTheirOwn) {
  Slots& slots = make_slots(4, 10, 4);
  for (std::size_t i = 0; i < 1024; ++i) acquire_spare(slots, i, {"a", 1});
  settle();
  EXPECT_GT(slots.spare(), 0U);
  acquire_spare(slots, 1024, {"a", 1});
  settle();
  EXPECT_EQ(slots.spare(), 0U);
  acquire_spare(slots, 1025, {"a", 1});
  release(0);
  EXPECT_EQ(slots.spare(), 0U);
  release(1);
  EXPECT_GT(slots.spare(), 0U);
  slots.close();
  settle();
}

TEST_F(SlotsTest, NorWhenTheyHoldMuchMemory) {
  Slots& slots = make_slots(4, 10, 4);
  for (std::size_t i = 0; i < 6; ++i) acquire_spare(slots, i, {"a", 1, 16U << 20});
  settle();
  EXPECT_EQ(slots.spare(), 0U);
  slots.close();
  settle();
}

}  // namespace
}  // namespace outrigger::pool
