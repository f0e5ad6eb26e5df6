#include <gtest/gtest.h>

#include <map>

#include "config/apply_stores.h"
#include "config/load.h"
#include "config/tokens.h"

namespace outrigger::config {
namespace {

using Variables = std::map<std::string, std::string>;

base::Result<Config> with(std::string_view file, const Variables& variables) {
  const Environment environment = [&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  Config config;
  if (const auto applied = apply_toml(config, file, "c.toml"); !applied) return std::unexpected(applied.error());
  if (const auto applied = apply_store_environment(config, environment); !applied) {
    return std::unexpected(applied.error());
  }
  if (const auto applied = apply_token_environment(config, environment); !applied) {
    return std::unexpected(applied.error());
  }
  return config;
}

constexpr std::string_view kFile = R"(
node = "file"
[server]
tokens = ["file"]
[audit.postgres]
url = "postgresql://file/x"
[queue.redis]
url = "redis://file"
[webhook]
secret = "file"
)";

TEST(ConfigEnvironment, IsStrongerThanTheFile) {
  const auto config = with(kFile, {{"OUTRIGGER_NODE", "node-1"},
                                   {"OUTRIGGER_TOKENS", "one, two\nthree"},
                                   {"OUTRIGGER_POSTGRES_URL", "postgres://e/x"},
                                   {"OUTRIGGER_REDIS_URL", "unix:///run/redis.sock"},
                                   {"OUTRIGGER_WEBHOOK_SECRET", "e"}});
  ASSERT_TRUE(config.has_value()) << config.error().text();
  EXPECT_EQ(config->node, "node-1");
  EXPECT_EQ(config->server.tokens, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(config->audit.postgres_url, "postgres://e/x");
  EXPECT_EQ(config->queue.redis_url, "unix:///run/redis.sock");
  EXPECT_EQ(config->webhook.secret, "e");
}

TEST(ConfigEnvironment, AnEmptyVariableIsNone) {
  const auto config = with(kFile, {{"OUTRIGGER_NODE", ""},
                                   {"OUTRIGGER_TOKENS", " "},
                                   {"OUTRIGGER_POSTGRES_URL", ""},
                                   {"OUTRIGGER_REDIS_URL", ""},
                                   {"OUTRIGGER_WEBHOOK_SECRET", ""}});
  ASSERT_TRUE(config.has_value()) << config.error().text();
  EXPECT_EQ(config->node, "file");
  EXPECT_EQ(config->server.tokens, std::vector<std::string>{"file"});
  EXPECT_EQ(config->audit.postgres_url, "postgresql://file/x");
  EXPECT_EQ(config->queue.redis_url, "redis://file");
  EXPECT_EQ(config->webhook.secret, "file");
}

TEST(ConfigEnvironment, WhatIsWrongIsNamedAndNeverQuoted) {
  for (const char* name : {"OUTRIGGER_NODE", "OUTRIGGER_TOKENS", "OUTRIGGER_POSTGRES_URL", "OUTRIGGER_REDIS_URL"}) {
    const auto config = with("", {{name, "s\"cret:hidden"}});
    ASSERT_FALSE(config.has_value()) << name;
    EXPECT_EQ(config.error().code, base::Code::kInvalid);
    EXPECT_NE(config.error().text().find(name), std::string::npos) << config.error().text();
    EXPECT_EQ(config.error().text().find("hidden"), std::string::npos) << config.error().text();
  }
}

}  // namespace
}  // namespace outrigger::config
