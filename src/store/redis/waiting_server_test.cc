#include <gmock/gmock.h>
#include <sys/resource.h>

#include <thread>

#include "store_redis/server_test_support.h"

// take() on an empty queue.
namespace outrigger::store_redis {
namespace {

using std::chrono::steady_clock;
using testing::IsEmpty;

class RedisQueueWaiting : public RedisServerTest {
 protected:
  // Whether a take() stands at the server.
  bool somebody_waits() { return redis({"INFO", "clients"}).contains("blocked_clients:1"); }
};

std::chrono::microseconds own_cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto of = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

TEST_F(RedisQueueWaiting, EndsWithNothingWhenTheTimeIsUp) {
  auto worker = queue("a");
  const auto began = steady_clock::now();
  EXPECT_THAT(take(*worker, 1, 200ms), IsEmpty());
  EXPECT_GE(steady_clock::now() - began, 200ms);
  EXPECT_LT(steady_clock::now() - began, 3s);
}

TEST_F(RedisQueueWaiting, TakesAJobAsSoonAsItIsPushed) {
  auto worker = queue("a");
  std::vector<steady_clock::duration> delays;
  for (int i = 0; i < 20; ++i) {
    steady_clock::time_point pushed;
    std::thread producer([&] {
      wait_until([&] { return somebody_waits(); }, "a take() that waits");
      pushed = steady_clock::now();
      push(entry_of("j" + std::to_string(i)));
    });
    static_cast<void>(take_one(*worker, 20s));
    const auto taken = steady_clock::now();
    producer.join();
    delays.push_back(taken - pushed);
  }
  std::ranges::sort(delays);
  const auto median = std::chrono::duration_cast<std::chrono::microseconds>(delays[delays.size() / 2]);
  RecordProperty("median_us", static_cast<int>(median.count()));
  EXPECT_LT(median, 5ms);  // some 0.2 ms on an idle machine
}

TEST_F(RedisQueueWaiting, CostsNoTime) {
  RedisOptions brief = options("a");
  brief.lease = 1s;  // so that it looks three times a second
  auto worker = queue(brief);
  const auto before = own_cpu_time();
  EXPECT_THAT(take(*worker, 1, 1500ms), IsEmpty());
  EXPECT_LT(own_cpu_time() - before, 50ms);
}

TEST_F(RedisQueueWaiting, KeepsTheLeaseMeanwhile) {
  RedisOptions brief = options("a");
  brief.lease = 1s;
  auto worker = queue(brief);
  std::thread waiting([&] { EXPECT_THAT(take(*worker, 1, 2500ms), IsEmpty()); });
  const auto end = steady_clock::now() + 2s;
  bool always = true;
  while (steady_clock::now() < end) {
    always = always && redis({"EXISTS", key("lease:a")}) == "1";
    std::this_thread::sleep_for(20ms);
  }
  waiting.join();
  EXPECT_TRUE(always);
}

TEST_F(RedisQueueWaiting, IsEndedByInterrupt) {
  auto worker = queue("a");
  const auto began = steady_clock::now();
  std::thread interrupter([&] {
    wait_until([&] { return somebody_waits(); }, "a take() that waits");
    worker->interrupt();
  });
  EXPECT_THAT(take(*worker, 1, 60s), IsEmpty());
  interrupter.join();
  // The next one returns at once too, and the one after that waits again.
  EXPECT_THAT(take(*worker, 1, 60s), IsEmpty());
  EXPECT_LT(steady_clock::now() - began, 20s);
  push(entry_of("j1"));
  EXPECT_EQ(take_one(*worker, 20s).job_id, "j1");
}

TEST_F(RedisQueueWaiting, DoesNotBeginWhenInterruptedBefore) {
  auto worker = queue("a");
  worker->interrupt();
  worker->interrupt();
  const auto began = steady_clock::now();
  EXPECT_THAT(take(*worker, 1, 60s), IsEmpty());
  EXPECT_LT(steady_clock::now() - began, 20s);
}

TEST_F(RedisQueueWaiting, LosesNothingToInterrupts) {
  auto worker = queue("a");
  constexpr int kJobs = 200;
  std::thread producer([&] {
    for (int i = 0; i < kJobs; ++i) {
      worker->interrupt();
      push(entry_of("j" + std::to_string(i)));
    }
  });
  int taken = 0;
  const auto end = steady_clock::now() + 30s;
  while (taken < kJobs && steady_clock::now() < end) taken += static_cast<int>(take(*worker, 3, 50ms).size());
  producer.join();
  EXPECT_EQ(taken, kJobs);
}

}  // namespace
}  // namespace outrigger::store_redis
