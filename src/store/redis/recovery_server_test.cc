#include <gmock/gmock.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "store_redis/server_test_support.h"

// Workers that vanish, come back, or never heard the answer.
namespace outrigger::store_redis {
namespace {

using store::Holding;
using store::JobState;
using store::Settled;
using testing::ElementsAre;
using testing::IsEmpty;

class RedisQueueRecovery : public RedisServerTest {
 protected:
  // What a take() leaves whose worker, or whose answer, is lost after the move and before the claim.
  void move_to_taken(const std::string& worker) {
    redis({"LMOVE", key("jobs"), key("jobs:taken:" + worker), "RIGHT", "LEFT"});
  }
};

TEST_F(RedisQueueRecovery, ReturnsWhatAVanishedWorkerHeldOldestFirst) {
  auto a = queue("a");
  auto b = queue("b");
  for (const auto* id : {"j1", "j2", "j3", "j4", "j5"}) push(entry_of(id));
  ASSERT_THAT(take(*a, 2), testing::SizeIs(2));
  move_to_taken("a");
  move_to_taken("a");
  EXPECT_EQ(b->recover(), 0U);
  let_lease_run_out("a");
  EXPECT_EQ(b->recover(), 4U);
  EXPECT_EQ(redis({"SISMEMBER", key("workers"), "a"}), "0");
  EXPECT_EQ(redis({"EXISTS", key("running:a"), key("jobs:taken:a")}), "0");
  EXPECT_EQ(b->look("j1")->state, JobState::kQueued);
  const auto jobs = take(*b);
  EXPECT_THAT(ids(jobs), ElementsAre("j1", "j2", "j3", "j4", "j5"));
  EXPECT_EQ(jobs[0].attempt, 2U);
  EXPECT_EQ(jobs[0].last_failure, "worker a vanished while attempt 1 ran");
  EXPECT_EQ(jobs[2].attempt, 1U);
  EXPECT_EQ(jobs[2].last_failure, "");
}

TEST_F(RedisQueueRecovery, DoesNotRecoverItself) {
  auto a = queue("a");
  push(entry_of("j1"));
  const auto job = take_one(*a);
  let_lease_run_out("a");
  EXPECT_EQ(a->recover(), 0U);
  EXPECT_THAT(*a->renew(std::vector{running(job)}), ElementsAre(Holding::kOurs));
}

TEST_F(RedisQueueRecovery, AWorkerThatComesBackFindsItsJobsLostAndGoesOn) {
  auto a = queue("a");
  auto b = queue("b");
  push(entry_of("j1"));
  const auto job = take_one(*a);
  let_lease_run_out("a");
  ASSERT_EQ(b->recover(), 1U);
  EXPECT_THAT(*a->renew(std::vector{running(job)}), ElementsAre(Holding::kLost));
  EXPECT_EQ(redis({"SISMEMBER", key("workers"), "a"}), "1");
  EXPECT_EQ(a->finish(running(job), "{}", 100s), Settled::kNotOurs);
  const auto again = take_one(*a);
  EXPECT_EQ(again.attempt, 2U);
  EXPECT_EQ(a->finish(running(job), "{}", 100s), Settled::kNotOurs);
  EXPECT_EQ(a->finish(running(again), "{}", 100s), Settled::kFinal);
}

TEST_F(RedisQueueRecovery, AThawedTakeRegistersBeforeItHoldsAnything) {
  auto a = queue("a");
  auto b = queue("b");
  let_lease_run_out("a");
  ASSERT_EQ(b->recover(), 0U);
  ASSERT_EQ(redis({"SISMEMBER", key("workers"), "a"}), "0");
  push(entry_of("j1"));
  static_cast<void>(take_one(*a));
  EXPECT_EQ(redis({"SISMEMBER", key("workers"), "a"}), "1");
  EXPECT_EQ(redis({"EXISTS", key("lease:a")}), "1");
}

TEST_F(RedisQueueRecovery, AnEntryInTheHandsOfAVanishedHolderIsTakenOver) {
  auto a = queue("a");
  auto b = queue("b");
  push(entry_of("j1"));
  static_cast<void>(take_one(*a));
  push(entry_of("j1"));
  let_lease_run_out("a");
  const auto job = take_one(*b);
  EXPECT_EQ(job.attempt, 2U);
  EXPECT_EQ(job.last_failure, "worker a vanished while attempt 1 ran");
  EXPECT_EQ(b->recover(), 0U);
  EXPECT_EQ(b->finish(running(job), "{}", 100s), Settled::kFinal);
}

TEST_F(RedisQueueRecovery, ANewProcessReturnsWhatTheOneBeforeLeftUnderItsName) {
  push(entry_of("j1"));
  push(entry_of("j2"));
  {
    auto killed = queue("a");
    ASSERT_THAT(take(*killed, 1), testing::SizeIs(1));
    move_to_taken("a");
  }
  auto a = queue("a");
  const auto jobs = take(*a);
  ASSERT_THAT(ids(jobs), ElementsAre("j1", "j2"));
  EXPECT_EQ(jobs[0].attempt, 2U);
  EXPECT_EQ(jobs[1].attempt, 1U);
  ASSERT_TRUE(a->open());  // once more: it has jobs now, and keeps them
  EXPECT_EQ(a->finish(running(jobs[0]), "{}", 100s), Settled::kFinal);
}

// The claim was executed, its answer lost: a job that Redis says is this worker's, and nobody was given.
TEST_F(RedisQueueRecovery, RenewReturnsAJobWhoseClaimWasNeverAnswered) {
  auto a = queue("a");
  push(entry_of("j1"));
  const auto known = take_one(*a);
  redis({"HSET", key("job:j2"), "state", "running", "attempt", "3", "worker", "a", "entry", entry_of("j2"),
         "last_failure", "x"});
  redis({"SADD", key("running:a"), "j2"});
  EXPECT_THAT(*a->renew({}), IsEmpty());
  const auto job = take_one(*a);
  EXPECT_EQ(job.job_id, "j2");
  EXPECT_EQ(job.attempt, 3U);
  EXPECT_EQ(job.last_failure, "x");
  EXPECT_EQ(a->look("j1")->state, JobState::kRunning);
}

TEST_F(RedisQueueRecovery, TakeFindsWhatAFailedTakeLeftInItsList) {
  auto a = queue("a");
  for (const auto* id : {"j1", "j2", "j3"}) push(entry_of(id));
  move_to_taken("a");
  move_to_taken("a");
  EXPECT_THAT(ids(take(*a)), ElementsAre("j1", "j2", "j3"));
}

TEST_F(RedisQueueRecovery, RenewReturnsWhatAFailedTakeLeftWhileNoneRuns) {
  auto a = queue("a");
  push(entry_of("j1"));
  move_to_taken("a");
  ASSERT_TRUE(a->renew({}));
  EXPECT_EQ(redis({"LLEN", key("jobs")}), "1");
  EXPECT_EQ(take_one(*queue("b")).attempt, 1U);
}

TEST_F(RedisQueueRecovery, SeveralMayRecoverAtOnceAndEachJobReturnsOnce) {
  constexpr int kJobs = 60;
  auto a = queue("a");
  for (int i = 0; i < kJobs; ++i) push(entry_of("j" + std::to_string(i)));
  ASSERT_THAT(take(*a, kJobs), testing::SizeIs(kJobs));
  let_lease_run_out("a");
  std::atomic<std::size_t> recovered = 0;
  std::vector<std::thread> reapers;
  for (const auto* name : {"b", "c", "d"}) {
    reapers.emplace_back([&, name] { recovered += *queue(name)->recover(); });
  }
  for (auto& reaper : reapers) reaper.join();
  EXPECT_EQ(recovered, static_cast<std::size_t>(kJobs));
  EXPECT_EQ(redis({"LLEN", key("jobs")}), std::to_string(kJobs));
}

// Three workers, one of which loses its lease all the time; everything is finished exactly once, whoever does it.
TEST_F(RedisQueueRecovery, EveryJobHasOneResultWhileLeasesComeAndGo) {
  constexpr std::size_t kJobs = 600;
  std::vector<store::Submission> jobs;
  for (std::size_t i = 0; i < kJobs; ++i) jobs.push_back({"j" + std::to_string(i), entry_of("j" + std::to_string(i))});
  ASSERT_TRUE(queue("producer")->put(jobs));
  std::mutex mutex;
  std::multiset<std::string> final_ids;
  std::atomic<bool> stopped = false;
  const auto work = [&](const std::string& name) {
    auto own = queue(name);
    while (!stopped) {
      for (const auto& job : take(*own, 5, 20ms)) {
        if (own->finish(running(job), name, 100s) != Settled::kFinal) continue;
        const std::lock_guard lock(mutex);
        final_ids.insert(job.job_id);
      }
      static_cast<void>(own->recover());
    }
  };
  std::vector<std::thread> workers;
  for (const auto* name : {"a", "b", "c"}) workers.emplace_back(work, name);
  wait_until(
      [&] {
        let_lease_run_out("a");
        const std::lock_guard lock(mutex);
        return final_ids.size() >= kJobs;
      },
      "all results", 60s);
  stopped = true;
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(final_ids.size(), kJobs);
  EXPECT_EQ(std::set(final_ids.begin(), final_ids.end()).size(), kJobs);
}

}  // namespace
}  // namespace outrigger::store_redis
