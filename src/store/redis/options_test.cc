#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store_redis/redis.h"

namespace outrigger::store_redis {
namespace {

using testing::HasSubstr;

RedisOptions good() {
  RedisOptions options;
  options.url = "redis://:hunter2@127.0.0.1:1";
  options.worker = "host.example:42";
  return options;
}

// Nothing is connected to before it is asked for something.
TEST(RedisOptions, GoodOnesMakeAQueueWithoutAServer) {
  EXPECT_TRUE(make_redis_queue(good()));
  EXPECT_TRUE(make_redis_idempotency_store(good()));
}

TEST(RedisOptions, EachRuleIsNamed) {
  const auto refused = [](auto change) {
    RedisOptions options = good();
    change(options);
    const auto queue = make_redis_queue(options);
    return queue ? std::string("accepted") : queue.error().text();
  };
  EXPECT_THAT(refused([](RedisOptions& o) { o.worker = ""; }), HasSubstr("worker"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.worker = "two words"; }), HasSubstr("worker"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.prefix = ""; }), HasSubstr("prefix"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.lease = std::chrono::milliseconds(999); }), HasSubstr("lease"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.command_deadline = {}; }), HasSubstr("deadline"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.largest_entry = 0; }), HasSubstr("largest entry"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.max_attempts = 0; }), HasSubstr("attempt"));
  EXPECT_THAT(refused([](RedisOptions& o) { o.url = "redis://"; }), HasSubstr("no host"));
}

// Nobody listens on port 1.
TEST(RedisQueue, WithoutAServerSaysSoAndKeepsThePassword) {
  const auto queue = make_redis_queue(good());
  ASSERT_TRUE(queue);
  const auto status = (*queue)->open();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, base::Code::kSystem);
  EXPECT_EQ(status.error().text(), "redis_connect: Connection refused (ECONNREFUSED): 127.0.0.1:1/0");
}

}  // namespace
}  // namespace outrigger::store_redis
