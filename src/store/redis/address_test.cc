#include "store_redis/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store_redis/redis.h"

namespace outrigger::store_redis {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RedisUrl, HostAlone) {
  const auto address = parse_url("redis://queue");
  ASSERT_TRUE(address) << address.error().text();
  EXPECT_EQ(address->host, "queue");
  EXPECT_EQ(address->port, 6379);
  EXPECT_EQ(address->database, 0U);
  EXPECT_EQ(address->password, "");
  EXPECT_EQ(address->place(), "queue:6379/0");
}

TEST(RedisUrl, Everything) {
  const auto address = parse_url("redis://ann:p%40ss%2Fw%25@10.0.0.1:7000/12");
  ASSERT_TRUE(address) << address.error().text();
  EXPECT_EQ(address->user, "ann");
  EXPECT_EQ(address->password, "p@ss/w%");
  EXPECT_EQ(address->place(), "10.0.0.1:7000/12");
}

TEST(RedisUrl, PasswordWithoutUser) {
  const auto address = parse_url("redis://:secret@[::1]:7000/");
  ASSERT_TRUE(address) << address.error().text();
  EXPECT_EQ(address->user, "");
  EXPECT_EQ(address->password, "secret");
  EXPECT_EQ(address->host, "::1");
  EXPECT_EQ(address->place(), "[::1]:7000/0");
}

TEST(RedisUrl, UnixSocket) {
  const auto address = parse_url("unix://:secret@/run/redis/redis.sock?db=3");
  ASSERT_TRUE(address) << address.error().text();
  EXPECT_EQ(address->host, "");
  EXPECT_EQ(address->path, "/run/redis/redis.sock");
  EXPECT_EQ(address->password, "secret");
  EXPECT_EQ(address->place(), "/run/redis/redis.sock/3");
}

struct Refused {
  std::string url;
  std::string rule;
};

class RedisUrlRefused : public testing::TestWithParam<Refused> {};

TEST_P(RedisUrlRefused, NamesTheRuleAndNothingOfTheUrl) {
  const auto address = parse_url(GetParam().url);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, base::Code::kInvalid);
  EXPECT_THAT(address.error().text(), HasSubstr(GetParam().rule));
  EXPECT_THAT(address.error().text(), Not(HasSubstr("hunter2")));
  EXPECT_THAT(redis_place(GetParam().url).error().text(), Not(HasSubstr("hunter2")));
}

INSTANTIATE_TEST_SUITE_P(
    Table, RedisUrlRefused,
    testing::Values(
        Refused{"", "must begin"}, Refused{"hunter2", "must begin"}, Refused{"rediss://:hunter2@host", "TLS"},
        Refused{"http://:hunter2@host", "must begin"}, Refused{"redis://", "no host"},
        Refused{"redis://:hunter2@", "no host"}, Refused{"redis://hunter2@host", "needs a password"},
        Refused{"redis://:@host", "password is empty"}, Refused{"redis://:hunter2%4@host", "hexadecimal"},
        Refused{"redis://:hunter2%zz@host", "hexadecimal"}, Refused{"redis://u:hunter2@x@host", "percent-encoded"},
        Refused{"redis://u:hunter2/x@host", "percent-encoded"}, Refused{"redis://u:hunter2:x@host", "percent-encoded"},
        Refused{"redis://:hunter2@host:", "port"}, Refused{"redis://:hunter2@host:0", "port"},
        Refused{"redis://:hunter2@host:65536", "port"}, Refused{"redis://:hunter2@host:6379x", "port"},
        Refused{"redis://host:hunter2", "port"}, Refused{"redis://:hunter2@host/-1", "database"},
        Refused{"redis://:hunter2@host/one", "database"}, Refused{"redis://host/0?hunter2", "database"},
        Refused{"redis://:hunter2@[::1", "bracket"}, Refused{"redis://:hunter2@[::1]6379", "IPv6"},
        Refused{"redis://:hunter2@ho st", "forbidden"}, Refused{"unix://:hunter2@run/redis", "absolute"},
        Refused{"unix://:hunter2@/", "absolute"}, Refused{"unix:///run/redis?password=hunter2", "db=NUMBER"},
        Refused{"unix:///run/redis?db=", "database"}, Refused{"unix:///" + std::string(107, 'p'), "107"},
        Refused{std::string("redis://ho\0st", 13), "zero byte"}));

}  // namespace
}  // namespace outrigger::store_redis
