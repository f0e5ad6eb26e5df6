#include <gmock/gmock.h>

#include <thread>

#include "store_redis/server_test_support.h"

// A server that is down, frozen, full, read-only, restarted or not ours to use. OUTRIGGER_TEST_REDIS_CONTROL is the
// socket of whoever keeps it.
namespace outrigger::store_redis {
namespace {

using base::Code;
using std::chrono::steady_clock;
using store::Holding;
using store::JobState;
using store::Settled;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class RedisOutage : public RedisServerTest {
 protected:
  void TearDown() override {
    control_server("thaw");
    control_server("start");
  }
  [[nodiscard]] RedisOptions hasty(const std::string& worker) const {
    RedisOptions made = options(worker);
    made.command_deadline = 500ms;
    return made;
  }
};

// Every call there is, each with its error's code; within the deadline, or it is a hang.
void expect_each_call_fails(store::JobQueue& queue, testing::Matcher<Code> code) {
  const std::vector<std::string> names = {"j1"};
  const auto expect = [&](const auto& call) {
    const auto began = steady_clock::now();
    const auto result = call();
    EXPECT_LT(steady_clock::now() - began, 3s);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().code, code) << result.error().text();
    EXPECT_THAT(result.error().text(), Not(HasSubstr(parse_url(server_url())->password)));
  };
  expect([&] { return queue.open(); });
  expect([&] { return queue.put(std::vector<store::Submission>{{"j1", entry_of("j1")}}); });
  expect([&] { return queue.look("j1"); });
  expect([&] { return queue.states(names); });
  expect([&] { return queue.cancel("j1"); });
  expect([&] { return queue.take(1, 0ms, identify); });
  expect([&] { return queue.take(1, 300ms, identify); });
  expect([&] { return queue.finish({"j1", 1}, "{}", 1s); });
  expect([&] { return queue.bury({"j1", 1}, "", "{}", 1s); });
  expect([&] { return queue.give_back({"j1", 1}, "", true); });
  expect([&] { return queue.renew({}); });
  expect([&] { return queue.recover(); });
  expect([&] { return queue.depth(); });
}

TEST_F(RedisOutage, DownAtTheStartAndUpLater) {
  control_server("kill");
  auto made = make_redis_queue(hasty("a"));
  ASSERT_TRUE(made);
  expect_each_call_fails(**made, Code::kSystem);
  control_server("start");
  ASSERT_TRUE((*made)->open());
  push(entry_of("j1"));
  EXPECT_EQ(take_one(**made).job_id, "j1");
}

TEST_F(RedisOutage, KilledUnderAQueueThatStands) {
  auto a = queue(hasty("a"));
  push(entry_of("j1"));
  const auto job = take_one(*a);
  control_server("kill");
  expect_each_call_fails(*a, Code::kSystem);
  control_server("start");
  // Without persistence all is forgotten, but for what workers know.
  EXPECT_THAT(*a->renew(std::vector{running(job)}), ElementsAre(Holding::kOurs));
  EXPECT_EQ(a->look("j1")->state, JobState::kRunning);
  EXPECT_EQ(a->finish(running(job), "{}", 100s), Settled::kFinal);
}

TEST_F(RedisOutage, RestartedBetweenTwoCallsIsNotNoticed) {
  auto a = queue("a");
  control_server("stop");
  control_server("start");
  push(entry_of("j1"));
  const auto job = take_one(*a);
  control_server("stop");
  control_server("start");
  EXPECT_EQ(a->finish(running(job), "{}", 100s), Settled::kFinal);
}

TEST_F(RedisOutage, KilledUnderATakeThatWaits) {
  auto a = queue("a");
  std::thread killer([&] {
    wait_until([&] { return redis({"INFO", "clients"}).contains("blocked_clients:1"); }, "a take() that waits");
    control_server("kill");
  });
  const auto jobs = a->take(1, 60s, identify);
  killer.join();
  ASSERT_FALSE(jobs);
  EXPECT_EQ(jobs.error().code, Code::kSystem);
  control_server("start");
  push(entry_of("j1"));
  EXPECT_EQ(take_one(*a, 20s).job_id, "j1");
}

TEST_F(RedisOutage, FrozenAndThawed) {
  auto a = queue(hasty("a"));
  push(entry_of("j1"));
  const auto job = take_one(*a);
  control_server("freeze");
  expect_each_call_fails(*a, Code::kTimedOut);
  control_server("thaw");
  wait_until([&] { return a->depth().has_value(); }, "an answer");
  // What it was sent meanwhile over a connection that stood, it executes now; nobody has settled the job.
  EXPECT_THAT(*a->renew(std::vector{running(job)}), ElementsAre(Holding::kOurs));
  EXPECT_EQ(a->finish(running(job), "{}", 100s), Settled::kFinal);
}

TEST_F(RedisOutage, FrozenWhileJobsAreTakenAndNoneIsLost) {
  auto a = queue(hasty("a"));
  constexpr int kJobs = 40;
  for (int i = 0; i < kJobs; ++i) push(entry_of("j" + std::to_string(i)));
  std::thread freezer([&] {
    for (int i = 0; i < 5; ++i) {
      control_server("freeze");
      std::this_thread::sleep_for(700ms);
      control_server("thaw");
      std::this_thread::sleep_for(20ms);
    }
  });
  std::vector<store::RunningJob> held;
  const auto has_all = [&] {
    if (auto jobs = a->take(2, 20ms, identify)) {
      for (const auto& job : *jobs) held.push_back(running(job));
    }
    static_cast<void>(a->renew(held));
    return held.size() >= kJobs;
  };
  wait_until(has_all, "all jobs", 60s);
  freezer.join();
  EXPECT_EQ(held.size(), static_cast<std::size_t>(kJobs));
  for (const auto& job : held) EXPECT_EQ(a->finish(job, "{}", 100s), Settled::kFinal) << job.job_id;
}

TEST_F(RedisOutage, AFullServerRefusesProducersAndIsWorkedOff) {
  auto a = queue("a");
  for (const auto* id : {"j1", "j2", "j3", "j4"}) push(entry_of(id));
  const auto early = take(*a, 1).at(0);
  redis({"CONFIG", "SET", "maxmemory", "1"});
  const auto put = a->put(std::vector<store::Submission>{{"j5", entry_of("j5")}});
  const auto jobs = take(*a, 2);
  const auto finished = a->finish(running(early), "{}", 100s);
  const auto returned = a->give_back(running(jobs.at(0)), "no", true);
  const auto buried = a->bury(running(jobs.at(1)), "no", "{}", 100s);
  const auto cancelled = a->cancel("j2");
  const auto renewed = a->renew({});
  redis({"CONFIG", "SET", "maxmemory", "0"});
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, Code::kSystem);
  EXPECT_THAT(put.error().text(), HasSubstr("OOM"));
  EXPECT_THAT(ids(jobs), ElementsAre("j2", "j3"));
  EXPECT_EQ(finished, Settled::kFinal);
  EXPECT_EQ(returned, Settled::kFinal);
  EXPECT_EQ(buried, Settled::kFinal);
  ASSERT_TRUE(cancelled);
  EXPECT_TRUE(std::holds_alternative<store::TakenJob>(*cancelled));
  EXPECT_TRUE(renewed);
  EXPECT_TRUE(a->put(std::vector<store::Submission>{{"j5", entry_of("j5")}}));
}

TEST_F(RedisOutage, AReadOnlyReplicaIsAnErrorUntilItIsTheMaster) {
  auto a = queue(hasty("a"));
  redis({"REPLICAOF", "127.0.0.1", "1"});
  const auto put = a->put(std::vector<store::Submission>{{"j1", entry_of("j1")}});
  const auto taken = a->take(1, 100ms, identify);
  redis({"REPLICAOF", "NO", "ONE"});
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, Code::kSystem);
  EXPECT_THAT(put.error().text(), HasSubstr("READONLY"));
  ASSERT_FALSE(taken);
  EXPECT_TRUE(a->put(std::vector<store::Submission>{{"j1", entry_of("j1")}}));
}

TEST_F(RedisOutage, AWrongPasswordIsNamedAndNotQuoted) {
  RedisOptions wrong = options("a");
  const auto address = parse_url(server_url());
  wrong.url = "redis://:hunter2@" + address->host + ":" + std::to_string(address->port);
  const auto status = (*make_redis_queue(wrong))->open();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kSystem);
  EXPECT_THAT(status.error().text(), HasSubstr("the server refuses user or password (WRONGPASS)"));
  EXPECT_THAT(status.error().text(), Not(HasSubstr("hunter2")));
  wrong.url = "redis://" + address->host + ":" + std::to_string(address->port);
  EXPECT_THAT((*make_redis_queue(wrong))->open().error().text(), HasSubstr("NOAUTH"));
}

TEST_F(RedisOutage, ForgottenScriptsAreSentAgain) {
  auto a = queue("a");
  push(entry_of("j1"));
  redis({"SCRIPT", "FLUSH"});
  const auto job = take_one(*a);
  redis({"SCRIPT", "FLUSH"});
  EXPECT_EQ(a->finish(running(job), "{}", 100s), Settled::kFinal);
  const auto run_one = [&](const std::string& id) {
    push(entry_of(id));
    EXPECT_EQ(a->finish(running(take_one(*a)), "{}", 100s), Settled::kFinal);
  };
  run_one("j2");
  redis({"CONFIG", "RESETSTAT"});
  run_one("j3");
  // After that they are called by their names alone.
  EXPECT_THAT(redis({"INFO", "commandstats"}), Not(HasSubstr("cmdstat_eval:")));
}

}  // namespace
}  // namespace outrigger::store_redis
