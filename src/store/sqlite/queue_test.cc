#include <gtest/gtest.h>

#include <thread>

#include "store_sqlite/test_queue.h"

namespace outrigger::store::sqlite {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

using SqliteQueue = QueueTest;

TEST_F(SqliteQueue, AJobGoesFromWaitingToItsOneResult) {
  EXPECT_EQ(state("a"), JobState::kUnknown);
  put("a");
  EXPECT_EQ(state("a"), JobState::kQueued);
  EXPECT_EQ(queue_->look("a")->entry, "a entry");
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(state("a"), JobState::kRunning);
  EXPECT_EQ(queue_->look("a")->worker, "local");
  EXPECT_EQ(queue_->finish({"a", 1}, R"({"x":1})", 1h).value(), Settled::kFinal);
  EXPECT_EQ(state("a"), JobState::kFinished);
  const JobView view = queue_->look("a").value();
  EXPECT_EQ(view.result, R"({"x":1})");
  EXPECT_EQ(view.entry, "");
  EXPECT_EQ(view.attempt, 1U);
  EXPECT_EQ(taken(), "");
}

TEST_F(SqliteQueue, TheOldestAreTakenFirstAndNoMoreThanAsked) {
  for (const char* id : {"c", "a", "b"}) put(id);
  EXPECT_EQ(taken(2), "c:1 a:1 ");
  EXPECT_EQ(taken(2), "b:1 ");
}

TEST_F(SqliteQueue, WhatIsKnownIsNotPutInAgain) {
  put("a");
  put("a", "a other");
  EXPECT_EQ(queue_->look("a")->entry, "a entry");
  EXPECT_EQ(taken(), "a:1 ");
  put("a");
  EXPECT_EQ(taken(), "");
  EXPECT_EQ(finish("a", 1), Settled::kFinal);
  put("a");
  EXPECT_EQ(taken(), "");
}

TEST_F(SqliteQueue, AForgottenResultMakesTheIdFree) {
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  ASSERT_TRUE(queue_->finish({"a", 1}, "{}", 0s));
  EXPECT_EQ(state("a"), JobState::kUnknown);
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(finish("a", 1), Settled::kFinal);
  EXPECT_EQ(state("a"), JobState::kFinished);
}

TEST_F(SqliteQueue, ExpiredResultsAreRemoved) {
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  ASSERT_TRUE(queue_->finish({"a", 1}, "{}", 0s));
  ASSERT_TRUE(queue_->recover());
  EXPECT_EQ(query("queue.sqlite", "SELECT count(*) FROM job_results"), "0");
}

TEST_F(SqliteQueue, AnAttemptThatCountsIsUsedUp) {
  for (const char* id : {"a", "b", "c"}) put(id);
  EXPECT_EQ(taken(2), "a:1 b:1 ");
  EXPECT_EQ(give_back("b", 1, true), Settled::kFinal);
  EXPECT_EQ(give_back("a", 1, true), Settled::kFinal);
  EXPECT_EQ(queue_->look("a")->attempt, 1U);
  const auto again = take(1);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].job_id, "a");
  EXPECT_EQ(again[0].attempt, 2U);
  EXPECT_EQ(again[0].last_failure, "it broke");
  EXPECT_EQ(taken(), "b:2 c:1 ");
}

TEST_F(SqliteQueue, AnAttemptThatDoesNotCountIsNot) {
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(give_back("a", 1, false), Settled::kFinal);
  EXPECT_EQ(queue_->look("a")->attempt, 0U);
  const auto again = take();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].attempt, 1U);
  EXPECT_EQ(again[0].last_failure, "");
}

TEST_F(SqliteQueue, OnlyItsHolderSettlesAJobAndOnlyOnce) {
  put("a");
  EXPECT_EQ(finish("a", 0), Settled::kNotOurs) << "it waits";
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(give_back("a", 1, true), Settled::kFinal);
  EXPECT_EQ(taken(), "a:2 ");
  EXPECT_EQ(finish("a", 1), Settled::kNotOurs);
  EXPECT_EQ(give_back("a", 1, true), Settled::kNotOurs);
  const auto other = make_sqlite_queue(dir_, "queue.sqlite", {.worker = "other"});
  EXPECT_EQ(other->finish({"a", 2}, "{}", 1h).value(), Settled::kNotOurs);
  EXPECT_EQ(finish("a", 2), Settled::kFinal);
  EXPECT_EQ(finish("a", 2), Settled::kNotOurs);
  EXPECT_EQ(queue_->bury({"a", 2}, "why", "{}", 1h).value(), Settled::kNotOurs);
  EXPECT_EQ(queue_->depth()->dead, 0U);
}

TEST_F(SqliteQueue, ABuriedJobIsInTheDeadListWithReasonAndTime) {
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(queue_->bury({"a", 1}, "three attempts", R"({"dead":1})", 1h).value(), Settled::kFinal);
  EXPECT_EQ(state("a"), JobState::kDead);
  EXPECT_EQ(queue_->look("a")->result, R"({"dead":1})");
  EXPECT_EQ(
      query("queue.sqlite", "SELECT job_id || '|' || entry || '|' || reason || '|' || length(died_at) FROM dead_jobs"),
      "a|a entry|three attempts|27");
}

TEST_F(SqliteQueue, ARefusedEntryDiesOnceAndHoldsNobodyUp) {
  put("a", "bad one");
  put("b", "c names another");
  put("d");
  EXPECT_EQ(taken(1), "d:1 ");
  EXPECT_EQ(state("a"), JobState::kDead);
  EXPECT_NE(queue_->look("a")->result.find("it is bad"), std::string::npos);
  EXPECT_NE(queue_->look("b")->result.find("names another"), std::string::npos);
  EXPECT_EQ(taken(), "");
  EXPECT_EQ(queue_->depth()->dead, 2U);
}

TEST_F(SqliteQueue, AWaitingJobThatIsCancelledIsTheCancellers) {
  put("a");
  const auto result = queue_->cancel("a").value();
  ASSERT_TRUE(std::holds_alternative<TakenJob>(result));
  const auto& job = std::get<TakenJob>(result);
  EXPECT_TRUE(job.cancelled);
  EXPECT_EQ(job.attempt, 1U) << "the number of the settlement; none was begun";
  EXPECT_EQ(job.entry, "a entry");
  EXPECT_EQ(taken(), "");
  EXPECT_EQ(finish("a", 1), Settled::kFinal);
}

TEST_F(SqliteQueue, ARunningJobThatIsCancelledIsMarked) {
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(std::get<JobState>(queue_->cancel("a").value()), JobState::kRunning);
  EXPECT_TRUE(queue_->look("a")->cancel_requested);
  EXPECT_EQ(queue_->renew(std::vector{RunningJob{"a", 1}}).value(), std::vector{Holding::kCancelled});
  EXPECT_EQ(give_back("a", 1, true), Settled::kFinal);
  const auto again = take();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_TRUE(again[0].cancelled);
  EXPECT_EQ(again[0].attempt, 2U);
}

TEST_F(SqliteQueue, NothingIsLeftToCancelOfWhatIsFinalOrUnknown) {
  EXPECT_EQ(std::get<JobState>(queue_->cancel("a").value()), JobState::kUnknown);
  put("a");
  EXPECT_EQ(taken(), "a:1 ");
  EXPECT_EQ(finish("a", 1), Settled::kFinal);
  EXPECT_EQ(std::get<JobState>(queue_->cancel("a").value()), JobState::kFinished);
}

TEST_F(SqliteQueue, ALeaseThatRanOutLosesTheJob) {
  queue_ = make_sqlite_queue(dir_, "queue.sqlite", {.lease = 400ms});
  put("a");
  put("b");
  EXPECT_EQ(taken(), "a:1 b:1 ");
  const std::vector running{RunningJob{"a", 1}};
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(queue_->renew(running).value(), std::vector{Holding::kOurs});
  }
  EXPECT_EQ(queue_->recover().value(), 1U) << "b, which nobody renewed";
  EXPECT_EQ(queue_->renew(std::vector{RunningJob{"b", 1}}).value(), std::vector{Holding::kLost});
  const auto again = take();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].job_id, "b");
  EXPECT_EQ(again[0].last_failure, "the worker's lease ran out while attempt 1 ran");
}

TEST_F(SqliteQueue, DepthCountsEach) {
  for (const char* id : {"a", "b", "c"}) put(id);
  put("d", "bad");
  EXPECT_EQ(taken(1), "a:1 ");
  EXPECT_EQ(take(3).size(), 2U);
  put("e");
  const auto depth = queue_->depth().value();
  EXPECT_EQ(depth.waiting, 1U);
  EXPECT_EQ(depth.running, 3U);
  EXPECT_EQ(depth.dead, 1U);
}

TEST_F(SqliteQueue, ATakeThatWaitsIsWokenByAPut) {
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    put("a");
  });
  const auto begin = steady_clock::now();
  const auto jobs = take(1, 20s);
  EXPECT_LT(steady_clock::now() - begin, 900ms) << "not only looked again";
  other.join();
  ASSERT_EQ(jobs.size(), 1U);
}

TEST_F(SqliteQueue, AnInterruptEndsATakeThatWaits) {
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    queue_->interrupt();
  });
  const auto begin = steady_clock::now();
  EXPECT_TRUE(take(1, 20s).empty());
  EXPECT_TRUE(take(1, 20s).empty());
  EXPECT_LT(steady_clock::now() - begin, 5s);
  other.join();
  put("a");
  EXPECT_EQ(take(1, 20s).size(), 1U);
}

TEST_F(SqliteQueue, AnyTextIsKeptAsItIs) {
  using namespace std::string_literals;
  put("a", "a \0 \xff \xc3\xa9"s);
  EXPECT_EQ(take().at(0).entry, "a \0 \xff \xc3\xa9"s);
}

}  // namespace
}  // namespace outrigger::store::sqlite
