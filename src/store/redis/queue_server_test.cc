#include <gmock/gmock.h>

#include <thread>

#include "store_redis/server_test_support.h"

namespace outrigger::store_redis {
namespace {

using store::JobState;
using store::Settled;
using store::Submission;
using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;

class RedisQueueServer : public RedisServerTest {};

TEST_F(RedisQueueServer, CarriesAJobFromPutToResult) {
  auto worker = queue("a");
  ASSERT_TRUE(worker->put(std::vector{Submission{"j1", entry_of("j1")}}));
  EXPECT_EQ(worker->look("j1")->state, JobState::kQueued);
  EXPECT_EQ(worker->look("j1")->entry, entry_of("j1"));

  const auto job = take_one(*worker);
  EXPECT_EQ(job.job_id, "j1");
  EXPECT_EQ(job.entry, entry_of("j1"));
  EXPECT_EQ(job.attempt, 1U);
  EXPECT_FALSE(job.cancelled);
  EXPECT_EQ(job.last_failure, "");
  const auto view = worker->look("j1");
  EXPECT_EQ(view->state, JobState::kRunning);
  EXPECT_EQ(view->attempt, 1U);
  EXPECT_EQ(view->worker, "a");
  EXPECT_EQ(worker->depth()->running, 1U);

  EXPECT_EQ(worker->finish(running(job), R"({"status":"completed"})", 100s), Settled::kFinal);
  const auto after = worker->look("j1");
  EXPECT_EQ(after->state, JobState::kFinished);
  EXPECT_EQ(after->result, R"({"status":"completed"})");
  EXPECT_EQ(after->entry, "");
  EXPECT_EQ(after->worker, "a");
  EXPECT_EQ(worker->depth()->running, 0U);
}

TEST_F(RedisQueueServer, LeavesNothingButResultAndStateWhichExpire) {
  auto worker = queue("a");
  push(entry_of("j1"));
  ASSERT_EQ(worker->finish(running(take_one(*worker)), "{}", 100s), Settled::kFinal);
  EXPECT_EQ(redis({"EXISTS", key("jobs"), key("jobs:taken:a"), key("running:a"), key("jobs:dead")}), "0");
  for (const std::string& name : {key("results:j1"), key("job:j1")}) {
    EXPECT_THAT(std::stoi(redis({"TTL", name})), AllOf(Gt(50), Le(100))) << name;
  }
  EXPECT_EQ(redis({"GET", key("results:j1")}), "{}");
}

TEST_F(RedisQueueServer, TakesWhatAnyProducerPushesOldestFirst) {
  auto worker = queue("a");
  for (const auto* id : {"j1", "j2", "j3"}) push(entry_of(id));
  EXPECT_THAT(ids(take(*worker, 2)), ElementsAre("j1", "j2"));
  EXPECT_THAT(ids(take(*worker, 2)), ElementsAre("j3"));
  EXPECT_THAT(take(*worker, 2), IsEmpty());
}

TEST_F(RedisQueueServer, GivesAnIdToAnEntryThatHasNone) {
  auto worker = queue("a");
  push(R"({"fresh":"j9"})");
  EXPECT_EQ(take_one(*worker).entry, entry_of("j9"));
  EXPECT_EQ(worker->look("j9")->entry, entry_of("j9"));
}

TEST_F(RedisQueueServer, PutsAKnownJobOnlyOnce) {
  auto worker = queue("a");
  const std::vector<Submission> both = {{"j1", entry_of("j1")}, {"j2", entry_of("j2")}};
  ASSERT_TRUE(worker->put(both));
  ASSERT_TRUE(worker->put(both));
  EXPECT_EQ(worker->depth()->waiting, 2U);
  const auto jobs = take(*worker);
  ASSERT_THAT(ids(jobs), ElementsAre("j1", "j2"));
  ASSERT_TRUE(worker->put(both));
  ASSERT_EQ(worker->finish(running(jobs[0]), "{}", 100s), Settled::kFinal);
  ASSERT_TRUE(worker->put(both));
  EXPECT_EQ(worker->depth()->waiting, 0U);
}

TEST_F(RedisQueueServer, DropsASecondEntryOfAJobThatRunsOrIsFinal) {
  auto worker = queue("a");
  auto other = queue("b");
  for (int i = 0; i < 3; ++i) push(entry_of("j1"));
  const auto job = take_one(*worker);  // of three in one batch, one
  push(entry_of("j1"));
  EXPECT_THAT(take(*other), IsEmpty());
  ASSERT_EQ(worker->finish(running(job), "{}", 100s), Settled::kFinal);
  push(entry_of("j1"));
  EXPECT_THAT(take(*other), IsEmpty());
  EXPECT_EQ(worker->depth()->waiting, 0U);
}

TEST_F(RedisQueueServer, SaysTheStateOfMany) {
  auto worker = queue("a");
  ASSERT_TRUE(
      worker->put(std::vector<Submission>{{"j1", entry_of("j1")}, {"j2", entry_of("j2")}, {"j3", entry_of("j3")}}));
  const auto jobs = take(*worker, 2);
  ASSERT_EQ(worker->finish(running(jobs[0]), "{}", 100s), Settled::kFinal);
  ASSERT_EQ(worker->bury(running(jobs[1]), "tired", "{}", 100s), Settled::kFinal);
  EXPECT_THAT(*worker->states(std::vector<std::string>{"j1", "j2", "j3", "j4"}),
              ElementsAre(JobState::kFinished, JobState::kDead, JobState::kQueued, JobState::kUnknown));
  EXPECT_THAT(*worker->states({}), IsEmpty());
}

TEST_F(RedisQueueServer, AnnouncesThePlainIdOfAFinalJob) {
  auto worker = queue("a");
  push(entry_of("j1"));
  const auto job = take_one(*worker);
  const Subscriber subscriber(key("done"));
  ASSERT_EQ(worker->finish(running(job), "{}", 100s), Settled::kFinal);
  EXPECT_EQ(subscriber.next(), "j1");
}

TEST_F(RedisQueueServer, SendsWhatIsNoJobToTheDeadOnceEach) {
  auto worker = queue("a");
  const std::vector<std::string> malformed = {"not json", "{}", "[]", "", std::string(10'000'000, 'x'), "\xff\xfe"};
  for (const std::string& entry : malformed) push(entry);
  push(entry_of("j1"));
  EXPECT_THAT(ids(take(*worker)), ElementsAre("j1"));
  EXPECT_EQ(redis({"LLEN", key("jobs:dead")}), std::to_string(malformed.size()));
  EXPECT_EQ(worker->depth()->dead, malformed.size());
  EXPECT_EQ(worker->depth()->waiting, 0U);
  const std::string oldest = redis({"LINDEX", key("jobs:dead"), "-1"});
  EXPECT_THAT(oldest, HasSubstr(R"({"job_id":null,"reason":"no job: it begins with not json","attempts":0,"at":")"));
  EXPECT_THAT(oldest, HasSubstr(R"(Z","worker":"a","entry":"not json","entry_bytes":8})"));
  EXPECT_THAT(redis({"LINDEX", key("jobs:dead"), "1"}), HasSubstr(R"("entry_bytes":10000000})"));
}

TEST_F(RedisQueueServer, SendsAnEntryAboveTheLargestToTheDead) {
  RedisOptions small = options("a");
  small.largest_entry = 1000;
  auto worker = queue(small);
  const auto waiting = [&] { return redis({"LLEN", key("jobs")}) != "0"; };
  push(entry_of("j1", std::string(100'000, ' ')));
  push(entry_of("j2", std::string(900, ' ')));
  EXPECT_THAT(ids(take(*worker)), ElementsAre("j2"));
  EXPECT_THAT(redis({"LINDEX", key("jobs:dead"), "0"}),
              HasSubstr("the entry has 100029 bytes, and at most 1000 are read"));
  // One that a waiting move has brought, too.
  std::thread later([&] { push(entry_of("j3", std::string(2000, ' '))); });
  EXPECT_THAT(take(*worker, 1, 300ms), IsEmpty());
  later.join();
  EXPECT_FALSE(waiting());
  EXPECT_EQ(worker->depth()->dead, 2U);
}

TEST_F(RedisQueueServer, BuriesWithReasonAndResult) {
  auto worker = queue("a");
  push(entry_of("j1"));
  const auto job = take_one(*worker);
  EXPECT_EQ(worker->bury({"j1", job.attempt}, "given up", R"({"status":"internal_error"})", 100s), Settled::kFinal);
  EXPECT_EQ(worker->look("j1")->state, JobState::kDead);
  EXPECT_EQ(worker->look("j1")->result, R"({"status":"internal_error"})");
  const std::string dead = redis({"LINDEX", key("jobs:dead"), "0"});
  EXPECT_THAT(dead, HasSubstr(R"({"job_id":"j1","reason":"given up","attempts":1,)"));
  EXPECT_THAT(dead, HasSubstr(R"("entry":"{\"job_id\":\"j1\",\"code\":\"true\"}","entry_bytes":29})"));
}

}  // namespace
}  // namespace outrigger::store_redis
