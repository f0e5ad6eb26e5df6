#include <gmock/gmock.h>

#include "store_redis/server_test_support.h"

// Two workers, and who may decide what becomes of a job.
namespace outrigger::store_redis {
namespace {

using store::Holding;
using store::JobState;
using store::RunningJob;
using store::Settled;
using store::TakenJob;
using testing::ElementsAre;
using testing::IsEmpty;

class RedisQueueFencing : public RedisServerTest {
 protected:
  std::unique_ptr<store::JobQueue> a_ = queue("a");
  std::unique_ptr<store::JobQueue> b_ = queue("b");
};

TEST_F(RedisQueueFencing, AFinalResultStays) {
  push(entry_of("j1"));
  const auto job = running(take_one(*a_));
  ASSERT_EQ(a_->finish(job, "first", 100s), Settled::kFinal);
  EXPECT_EQ(a_->finish(job, "second", 100s), Settled::kNotOurs);
  EXPECT_EQ(a_->bury(job, "no", "second", 100s), Settled::kNotOurs);
  EXPECT_EQ(a_->give_back(job, "no", true), Settled::kNotOurs);
  EXPECT_EQ(a_->look("j1")->result, "first");
  EXPECT_EQ(a_->depth()->dead, 0U);
}

TEST_F(RedisQueueFencing, AnotherWorkersJobOrAttemptIsNotOurs) {
  push(entry_of("j1"));
  const auto job = running(take_one(*a_));
  EXPECT_EQ(b_->finish(job, "{}", 100s), Settled::kNotOurs);
  EXPECT_EQ(b_->give_back(job, "", true), Settled::kNotOurs);
  EXPECT_EQ(a_->finish({"j1", job.attempt + 1}, "{}", 100s), Settled::kNotOurs);
  EXPECT_EQ(a_->look("j1")->state, JobState::kRunning);
}

TEST_F(RedisQueueFencing, AJobGivenBackIsTheNextOneTaken) {
  push(entry_of("j1"));
  push(entry_of("j2"));
  const auto job = take(*a_, 1).at(0);
  ASSERT_EQ(a_->give_back(running(job), "out of slots", true), Settled::kFinal);
  EXPECT_EQ(a_->look("j1")->state, JobState::kQueued);
  EXPECT_EQ(a_->look("j1")->worker, "");
  EXPECT_EQ(a_->finish(running(job), "{}", 100s), Settled::kNotOurs);
  const auto again = take(*b_, 1).at(0);
  EXPECT_EQ(again.job_id, "j1");
  EXPECT_EQ(again.attempt, 2U);
  EXPECT_EQ(again.last_failure, "out of slots");
  EXPECT_EQ(again.entry, entry_of("j1"));
}

TEST_F(RedisQueueFencing, WhatDoesNotCountUsesUpNoAttempt) {
  push(entry_of("j1"));
  ASSERT_EQ(a_->give_back(running(take_one(*a_)), "paused", false), Settled::kFinal);
  EXPECT_EQ(a_->look("j1")->attempt, 0U);
  EXPECT_EQ(take_one(*a_).attempt, 1U);
}

TEST_F(RedisQueueFencing, TheFourthAttemptIsTakenToBeBuriedAndNotCounted) {
  push(entry_of("j1"));
  for (unsigned attempt = 1; attempt <= 3; ++attempt) {
    const auto job = take_one(*a_);
    EXPECT_EQ(job.attempt, attempt);
    ASSERT_EQ(a_->give_back(running(job), "failed", true), Settled::kFinal);
  }
  const auto job = take_one(*a_);
  EXPECT_EQ(job.attempt, 4U);
  ASSERT_EQ(a_->bury(running(job), job.last_failure, "{}", 100s), Settled::kFinal);
  EXPECT_THAT(redis({"LINDEX", key("jobs:dead"), "0"}), testing::HasSubstr(R"("reason":"failed","attempts":3,)"));
  EXPECT_EQ(a_->look("j1")->attempt, 3U);
}

TEST_F(RedisQueueFencing, CancelOfAWaitingJobClaimsIt) {
  ASSERT_TRUE(a_->put(std::vector<store::Submission>{{"j1", entry_of("j1")}, {"j2", entry_of("j2")}}));
  const auto cancelled = b_->cancel("j1");
  ASSERT_TRUE(std::holds_alternative<TakenJob>(*cancelled));
  const auto& job = std::get<TakenJob>(*cancelled);
  EXPECT_TRUE(job.cancelled);
  EXPECT_EQ(job.entry, entry_of("j1"));
  EXPECT_THAT(ids(take(*a_)), ElementsAre("j2"));
  EXPECT_THAT(*b_->renew(std::vector{running(job)}), ElementsAre(Holding::kCancelled));
  EXPECT_EQ(b_->finish(running(job), "{}", 100s), Settled::kFinal);
}

TEST_F(RedisQueueFencing, CancelOfARunningJobIsSeenAtTheNextRenewal) {
  push(entry_of("j1"));
  const auto job = take_one(*a_);
  EXPECT_THAT(*a_->renew(std::vector{running(job)}), ElementsAre(Holding::kOurs));
  EXPECT_EQ(std::get<JobState>(*b_->cancel("j1")), JobState::kRunning);
  EXPECT_TRUE(a_->look("j1")->cancel_requested);
  EXPECT_THAT(*a_->renew(std::vector{running(job)}), ElementsAre(Holding::kCancelled));
}

TEST_F(RedisQueueFencing, CancelOfAJobThatIsJustBeingTakenIsSeenWithTheClaim) {
  ASSERT_TRUE(a_->put(std::vector<store::Submission>{{"j1", entry_of("j1")}}));
  redis({"LMOVE", key("jobs"), key("jobs:taken:a"), "RIGHT", "LEFT"});
  EXPECT_EQ(std::get<JobState>(*b_->cancel("j1")), JobState::kRunning);
  EXPECT_TRUE(take_one(*a_).cancelled);
}

TEST_F(RedisQueueFencing, CancelFindsNothingToDo) {
  EXPECT_EQ(std::get<JobState>(*a_->cancel("j9")), JobState::kUnknown);
  push(entry_of("j1"));
  push(entry_of("j2"));
  const auto jobs = take(*a_);
  ASSERT_EQ(a_->finish(running(jobs[0]), "{}", 100s), Settled::kFinal);
  ASSERT_EQ(a_->bury(running(jobs[1]), "", "{}", 100s), Settled::kFinal);
  EXPECT_EQ(std::get<JobState>(*a_->cancel("j1")), JobState::kFinished);
  EXPECT_EQ(std::get<JobState>(*a_->cancel("j2")), JobState::kDead);
}

TEST_F(RedisQueueFencing, ACancelledJobWhoseWorkerVanishesIsStillCancelled) {
  push(entry_of("j1"));
  static_cast<void>(take_one(*a_));
  ASSERT_TRUE(b_->cancel("j1"));
  let_lease_run_out("a");
  ASSERT_EQ(b_->recover(), 1U);
  EXPECT_TRUE(take_one(*b_).cancelled);
}

TEST_F(RedisQueueFencing, SettlesAJobThatRedisHasForgotten) {
  push(entry_of("j1"));
  push(entry_of("j2"));
  const auto jobs = take(*a_);
  redis({"FLUSHALL"});
  EXPECT_EQ(a_->finish(running(jobs[0]), "{}", 100s), Settled::kFinal);
  EXPECT_EQ(a_->look("j1")->state, JobState::kFinished);
  EXPECT_EQ(a_->give_back(running(jobs[1]), "failed", true), Settled::kFinal);
  EXPECT_EQ(take_one(*b_).attempt, 2U);
}

TEST_F(RedisQueueFencing, RenewWritesDownAnewWhatRedisHasForgotten) {
  push(entry_of("j1"));
  const auto job = take_one(*a_);
  redis({"FLUSHALL"});
  EXPECT_THAT(*a_->renew(std::vector{running(job)}), ElementsAre(Holding::kOurs));
  EXPECT_EQ(a_->look("j1")->state, JobState::kRunning);
  EXPECT_EQ(a_->look("j1")->entry, entry_of("j1"));
  // What is put in again meanwhile is known.
  ASSERT_TRUE(b_->put(std::vector<store::Submission>{{"j1", entry_of("j1")}}));
  EXPECT_THAT(take(*b_), IsEmpty());
  let_lease_run_out("a");
  EXPECT_EQ(b_->recover(), 1U);
  EXPECT_EQ(take_one(*b_).attempt, 2U);
}

TEST_F(RedisQueueFencing, WhatWasPutInAgainBeforeTheRenewalIsLost) {
  push(entry_of("j1"));
  const auto job = take_one(*a_);
  redis({"FLUSHALL"});
  ASSERT_TRUE(b_->put(std::vector<store::Submission>{{"j1", entry_of("j1")}}));
  EXPECT_THAT(*a_->renew(std::vector{running(job)}), ElementsAre(Holding::kLost));
  EXPECT_EQ(take_one(*b_).attempt, 1U);
  EXPECT_EQ(a_->finish(running(job), "{}", 100s), Settled::kNotOurs);
}

}  // namespace
}  // namespace outrigger::store_redis
