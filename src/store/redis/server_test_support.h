#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store_redis/link.h"
#include "store_redis/redis.h"

// What the tests against a real server share. OUTRIGGER_TEST_REDIS is its URL; without it they fail. The server is
// theirs alone: they flush it. tests/stores/run_redis.py starts one.
namespace outrigger::store_redis {

using namespace std::chrono_literals;

std::string server_url();
// Asks who started the server to "kill", "stop", "start", "freeze" or "thaw" it, and waits until that is done; over
// the unix socket OUTRIGGER_TEST_REDIS_CONTROL.
void control_server(std::string_view verb);

// Fails where `condition` has not become true within `limit`.
void wait_until(const std::function<bool()>& condition, std::string_view what, std::chrono::seconds limit = 20s);

std::string entry_of(const std::string& job_id, std::string_view more = "");
// Takes objects with a "job_id"; refuses the rest with "no job: …". An object with "fresh" gets the id after it.
std::expected<store::Identified, std::string> identify(std::string_view raw);

class RedisServerTest : public testing::Test {
 protected:
  RedisServerTest();

  [[nodiscard]] RedisOptions options(const std::string& worker) const;
  [[nodiscard]] std::unique_ptr<store::JobQueue> queue(const std::string& worker) const {
    return queue(options(worker));
  }
  [[nodiscard]] static std::unique_ptr<store::JobQueue> queue(const RedisOptions& options);

  // A command, and its answer as text: an integer in decimal, nil as "(nil)", an array's elements in lines.
  std::string redis(std::initializer_list<std::string_view> arguments);
  // The names without their prefix: key("jobs").
  [[nodiscard]] std::string key(std::string_view name) const { return prefix_ + ":" + std::string(name); }
  void push(std::string_view entry) { redis({"LPUSH", key("jobs"), entry}); }
  // As if the worker had been frozen for longer than its lease.
  void let_lease_run_out(const std::string& worker) { redis({"DEL", key("lease:" + worker)}); }

  std::string prefix_;

 private:
  Link link_;
};

// Hears what is announced on a channel from when it is made.
class Subscriber {
 public:
  explicit Subscriber(const std::string& channel);
  // The next message; fails where none comes within 20 s.
  [[nodiscard]] std::string next() const;

 private:
  struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  std::unique_ptr<redisContext, Free> context_;
};

std::vector<store::TakenJob> take(store::JobQueue& queue, std::size_t max = 100, std::chrono::milliseconds wait = 0ms);
// The one job there is; fails where it isn't one.
store::TakenJob take_one(store::JobQueue& queue, std::chrono::milliseconds wait = 0ms);
std::vector<std::string> ids(const std::vector<store::TakenJob>& jobs);
store::RunningJob running(const store::TakenJob& job);

}  // namespace outrigger::store_redis
