#include <cstdio>
#include <thread>

#include "store_redis/server_test_support.h"

// What a job costs beside its running: take, claim and finish, one worker against a server on the same machine.
namespace outrigger::store_redis {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

class RedisThroughput : public RedisServerTest {};

constexpr std::size_t kJobs = 10'000;

std::vector<store::Submission> many_jobs() {
  std::vector<store::Submission> jobs;
  for (std::size_t i = 0; i < kJobs; ++i) {
    const std::string id = "j" + std::to_string(i);
    jobs.push_back({id, entry_of(id, R"(,"tenant_id":"acme","language":"bash")")});
  }
  return jobs;
}

void tell(const char* what, steady_clock::time_point began) {
  const double seconds = duration<double>(steady_clock::now() - began).count();
  std::printf("%s: %.0f jobs/s, %.1f us each\n", what, kJobs / seconds, seconds / kJobs * 1e6);
}

TEST_F(RedisThroughput, PutTakeFinish) {
  const std::string result(400, 'r');
  auto a = queue("a");
  auto began = steady_clock::now();
  ASSERT_TRUE(a->put(many_jobs()));
  tell("put", began);

  began = steady_clock::now();
  std::size_t finished = 0;
  while (finished < kJobs) {
    for (const auto& job : take(*a, 16)) {
      ASSERT_EQ(a->finish(running(job), result, 1000s), store::Settled::kFinal);
      ++finished;
    }
  }
  tell("take by 16, finish one by one", began);
}

// As a daemon does it: one thread takes, another finishes.
TEST_F(RedisThroughput, TakeBesideFinish) {
  const std::string result(400, 'r');
  auto a = queue("a");
  ASSERT_TRUE(a->put(many_jobs()));
  const auto began = steady_clock::now();
  std::vector<store::RunningJob> jobs(kJobs);
  std::atomic<std::size_t> taken = 0;
  std::thread taker([&] {
    while (taken < kJobs) {
      std::size_t count = taken;
      for (const auto& job : take(*a, 16)) jobs[count++] = running(job);
      taken = count;
    }
  });
  for (std::size_t i = 0; i < kJobs; ++i) {
    while (taken <= i) std::this_thread::yield();
    EXPECT_EQ(a->finish(jobs[i], result, 1000s), store::Settled::kFinal);
  }
  taker.join();
  tell("take by 16 beside finish", began);
}

}  // namespace
}  // namespace outrigger::store_redis
