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
  // Starts an acquisition; its result appears in results_ at `index` once it is there.
  void acquire(Slots& slots, std::size_t index, std::chrono::milliseconds timeout, run::Cancellation& cancellation) {
    asio::co_spawn(context_, run(slots, index, timeout, cancellation), asio::detached);
  }
  asio::awaitable<void> run(Slots& slots, std::size_t index, std::chrono::milliseconds timeout,
                            run::Cancellation& cancellation) {
    auto result = co_await slots.acquire(timeout, cancellation);
    order_.push_back(index);
    results_.at(index).emplace(std::move(result));
  }
  void acquire_spare(Slots& slots, std::size_t index) {
    asio::co_spawn(context_, run_spare(slots, index), asio::detached);
  }
  asio::awaitable<void> run_spare(Slots& slots, std::size_t index) {
    auto result = co_await slots.acquire_spare(none_);
    order_.push_back(index);
    results_.at(index).emplace(std::move(result));
  }
  void settle() {
    context_.restart();
    context_.poll();
  }

  asio::io_context context_;
  std::vector<std::optional<Acquired>> results_{8};
  std::vector<std::size_t> order_;
  run::Cancellation none_;
};

TEST_F(SlotsTest, WaitersAreServedInTheOrderTheyCame) {
  Slots slots(context_.get_executor(), 1, 10, 1);
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
  Slots slots(context_.get_executor(), 1, 10, 1);
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
  Slots slots(context_.get_executor(), 3, 10, 2);
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
  Slots slots(context_.get_executor(), 4, 10, 4);
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
  Slots slots(context_.get_executor(), 1, 10, 1);
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
  Slots slots(context_.get_executor(), 1, 10, 1);
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
  Slots slots(context_.get_executor(), 1, 10, 1);
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
  Slots slots(context_.get_executor(), 0, 10, 0);
  acquire(slots, 0, 1ms, none_);
  context_.run();
  ASSERT_TRUE(results_[0].has_value());
  EXPECT_EQ(results_[0]->error().code, base::Code::kExhausted);
  EXPECT_EQ(slots.waiting(), 0U);
}

TEST_F(SlotsTest, ACancelledWaiterLeavesTheQueue) {
  Slots slots(context_.get_executor(), 0, 10, 0);
  run::Cancellation cancellation;
  acquire(slots, 0, 1h, cancellation);
  settle();
  cancellation.cancel(run::CancelReason::kClientLeft);
  settle();
  EXPECT_EQ(results_[0]->error().code, base::Code::kCancelled);
  EXPECT_EQ(slots.waiting(), 0U);
}

TEST_F(SlotsTest, MoreThanMayWaitAreRefusedAtOnce) {
  Slots slots(context_.get_executor(), 0, 1, 0);
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
  Slots slots(context_.get_executor(), 0, 10, 0);
  acquire(slots, 0, 1h, none_);
  settle();
  slots.close();
  acquire(slots, 1, 1h, none_);
  settle();
  EXPECT_EQ(results_[0]->error().code, base::Code::kPaused);
  EXPECT_EQ(results_[1]->error().code, base::Code::kPaused);
}

}  // namespace
}  // namespace outrigger::pool
