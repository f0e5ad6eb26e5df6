#include "config/load.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <map>

#include "config/tokens.h"
#include "model/limit_fields.h"

namespace outrigger::config {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

base::Result<Config> from(std::string_view text) {
  Config config;
  if (const auto applied = apply_toml(config, text, "c.toml"); !applied) return std::unexpected(applied.error());
  return config;
}

void expect_refused(std::string_view text, const std::string& says) {
  const auto config = from(text);
  ASSERT_FALSE(config.has_value()) << text;
  EXPECT_EQ(config.error().code, base::Code::kInvalid);
  EXPECT_NE(config.error().context.find(says), std::string::npos) << text << ": " << config.error().context;
}

// A directory of its own, with files as told.
class LoadConfig : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/config-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { fs::remove_all(dir_); }

  fs::path write(const std::string& name, std::string_view text) const {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name) << text;
    return dir_ / name;
  }
  base::Result<Config> load_with(const LoadOptions& options) const {
    return load(options, dir_ / "build/bin", [this](const std::string& name) {
      const auto found = environment_.find(name);
      return found == environment_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  fs::path dir_;
  std::map<std::string, std::string> environment_;
};

TEST(ConfigToml, TheAuditorsSection) {
  const auto config =
      from("[crows_nest]\ninterval_ms = 500\nceiling_percent = 32.5\nmetrics_listen = \"[::1]:9464\"\n");
  ASSERT_TRUE(config.has_value()) << config.error().text();
  EXPECT_EQ(config->crows_nest.interval, milliseconds{500});
  EXPECT_EQ(config->crows_nest.ceiling_percent, 32.5);
  EXPECT_EQ(config->crows_nest.resume_percent, 30);  // in proportion, where it is not named
  EXPECT_EQ(from("")->crows_nest.resume_percent, 60);
  expect_refused("[crows_nest]\nceiling_percent = 101\n", "crows_nest.ceiling_percent");
  expect_refused("[crows_nest]\nceiling_percent = 50\nresume_percent = 50\n", "crows_nest.resume_percent");
  expect_refused("[crows_nest]\nserver = \"127.0.0.1:1\"\n", "crows_nest.server");
  expect_refused("[crows_nest]\nmetrics_listen = \"nowhere\"\n", "crows_nest.metrics_listen");
  expect_refused("[crows_nest]\nwebhook_url = \"ftp://x\"\n", "crows_nest.webhook_url");
  expect_refused("[crows_nest]\nintervall_ms = 5\n", "crows_nest.intervall_ms");
}

TEST(ConfigToml, AnEmptyFileIsTheDefaults) {
  const auto config = from("");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->server.host, "127.0.0.1");
  EXPECT_EQ(config->pool.slots, 16U);
  EXPECT_EQ(config->default_limits, model::Limits{});
}

TEST(ConfigToml, ReadsEveryKey) {
  const auto config = from(R"(
user = "runner"
[server]
listen = "[::1]:9000"
header_timeout_ms = 1000
body_timeout_ms = 2000
idle_timeout_ms = 3000
shutdown_grace_ms = 0
max_connections = 10
tokens = ["abc", "d.e-f"]
[pool]
slots = 4
acquire_timeout_ms = 500
max_waiting = 7
[jail]
uid_base = 2000000
cgroup_root = "/x"
[limits]
pids = 40
cpu_cores = 2
[ceilings]
pids = 64
cpu_cores = 2.5
[log]
level = "debug"
format = "json"
[paths]
run_dir = "/r"
lib_dir = "/l"
runtimes_dir = "/t"
images_dir = "/i"
)");
  ASSERT_TRUE(config.has_value()) << config.error().text();
  EXPECT_EQ(config->user, "runner");
  EXPECT_EQ(config->server.host, "::1");
  EXPECT_EQ(config->server.port, 9000);
  EXPECT_EQ(config->server.body_timeout, milliseconds{2000});
  EXPECT_EQ(config->server.shutdown_grace, milliseconds{0});
  EXPECT_EQ(config->server.tokens, (std::vector<std::string>{"abc", "d.e-f"}));
  EXPECT_EQ(config->pool.max_waiting, 7U);
  EXPECT_EQ(config->jail.uid_base, 2000000U);
  EXPECT_EQ(config->default_limits.pids, 40U);
  EXPECT_EQ(config->limit_ceilings.cpu_cores, 2.5);
  EXPECT_EQ(config->log_level, base::Level::kDebug);
  EXPECT_EQ(config->log_format, base::LogFormat::kJson);
  EXPECT_EQ(config->paths.images_dir, "/i");
}

TEST(ConfigToml, ReadsTheStores) {
  const auto config = from(R"(
node = "n1"
[audit]
retention_days = 30
spool_max_bytes = 2000000
when_full = "refuse"
postgres.url = "postgresql://a:b@db/x"
[queue]
slots = 5
max_attempts = 4
lease_ms = 2000
result_hours = 2
redis = { url = "redis://:b@cache:6379/1", prefix = "boxes" }
[webhook]
allow = ["hooks.example.com"]
permitted_networks = ["10.0.0.0/8"]
secret = "s"
)");
  ASSERT_TRUE(config.has_value()) << config.error().text();
  EXPECT_EQ(config->node, "n1");
  EXPECT_EQ(config->audit.retention, std::chrono::hours{720});
  EXPECT_TRUE(config->audit.refuse_when_full);
  EXPECT_EQ(config->audit.postgres_url, "postgresql://a:b@db/x");
  EXPECT_EQ(config->queue.slots, 5U);
  EXPECT_EQ(config->queue.lease, milliseconds{2000});
  EXPECT_EQ(config->queue.redis_prefix, "boxes");
  EXPECT_EQ(config->queue.result_lifetime, std::chrono::hours{2});
  EXPECT_EQ(config->webhook.allow, std::vector<std::string>{"hooks.example.com"});
}

TEST(ConfigToml, NeverRepeatsASecret) {
  for (const char* text : {"[audit]\npostgres.url = \"mysql://u:hunter2@x\"\n",
                           "[queue]\nredis.url = \"http://u:hunter2@x\"\n", "[webhook]\nsecrets = \"hunter2\"\n"}) {
    const auto config = from(text);
    ASSERT_FALSE(config.has_value()) << text;
    EXPECT_EQ(config.error().text().find("hunter2"), std::string::npos) << config.error().text();
  }
}

TEST(ConfigToml, RefusesUnknownKeysWithTheirPlace) {
  expect_refused("[server]\nlisten = \"127.0.0.1:1\"\n  port = 5\n",
                 "c.toml:3:3: server.port is not a known key; known here:");
  expect_refused("slots = 3\n", "c.toml:1:1: slots is not a known key");
  expect_refused("[limitz]\n", "limitz is not a known key");
  expect_refused("[limits]\npidz = 3\n", "limits.pidz");
}

TEST(ConfigToml, RefusesWrongTypesAndRanges) {
  expect_refused("[pool]\nslots = 0\n", "c.toml:2:9: pool.slots must be an integer from 1 to 1024");
  expect_refused("[pool]\nslots = 2.5\n", "pool.slots must be an integer");
  expect_refused("[pool]\nslots = \"4\"\n", "pool.slots must be an integer");
  expect_refused("[pool]\nslots = -1\n", "pool.slots must be an integer");
  expect_refused("pool = 3\n", "pool must be a table");
  expect_refused("user = 3\n", "user must be a string");
  expect_refused("[server]\ntokens = \"x\"\n", "server.tokens must be an array");
  expect_refused("[server]\ntokens = [3]\n", "server.tokens must hold only strings");
  expect_refused("[server]\ntokens = [\"\"]\n", "server.tokens must be made of");
  expect_refused("[server]\ntokens = [\"a b\"]\n", "server.tokens must be made of");
  expect_refused("[jail]\nuid_base = 0\n", "jail.uid_base");
  expect_refused("[log]\nlevel = \"loud\"\n", "log.level");
  expect_refused("[log]\nformat = \"xml\"\n", "log.format");
  expect_refused("[paths]\nrun_dir = \"x\"\n", "paths.run_dir must be an absolute path");
  expect_refused("[limits]\ncpu_cores = inf\n", "limits.cpu_cores must be a number");
  expect_refused("[limits]\ncpu_cores = nan\n", "limits.cpu_cores must be a number");
  expect_refused("[limits]\nmemory_bytes = 1\n", "limits.memory_bytes");
}

TEST(ConfigToml, SaysWhereItIsNoToml) { expect_refused("[pool\nslots = 3\n", "c.toml:1:"); }

TEST(ConfigToml, ADefaultAboveItsCeilingIsAContradiction) {
  expect_refused("[limits]\npids = 64\n", "c.toml:2:8: limits.pids is above its ceiling; raise ceilings.pids too");
}

TEST(ConfigToml, ALoweredCeilingLowersTheDefault) {
  EXPECT_EQ(from("[ceilings]\npids = 8\n")->default_limits.pids, 8U);
}

TEST(Listen, TakesNumericAddressesAndLocalhost) {
  Server server;
  ASSERT_TRUE(parse_listen("0.0.0.0:80", server).has_value());
  EXPECT_EQ(server.host, "0.0.0.0");
  ASSERT_TRUE(parse_listen("localhost:0", server).has_value());
  EXPECT_EQ(server.host, "127.0.0.1");
  EXPECT_EQ(server.port, 0);
  ASSERT_TRUE(parse_listen("[fe80::1]:65535", server).has_value());
  EXPECT_EQ(server.host, "fe80::1");
  for (const char* bad : {"", ":", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8 ",
                          "::1:80", "[::1]", "[127.0.0.1]:80", "example.org:80", "[]:1", "127.1:80"}) {
    EXPECT_FALSE(parse_listen(bad, server).has_value()) << bad;
  }
}

TEST(Listen, KnowsWhatIsLoopback) {
  for (const char* host : {"127.0.0.1", "127.255.0.3", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "10.0.0.1", "::", "fe80::1", "::ffff:10.0.0.1", "localhost", ""}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

TEST_F(LoadConfig, OffLoopbackNeedsTokens) {
  LoadOptions options;
  options.paths.state_dir = dir_;
  const auto local = load_with(options);
  EXPECT_TRUE(check_guarded(*local, false));
  options.listen = "0.0.0.0:8080";
  const auto open = load_with(options);
  const auto refused = check_guarded(*open, false);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().context.find("outrigger token create"), std::string::npos) << refused.error().context;
  EXPECT_TRUE(check_guarded(*open, true));
}

TEST_F(LoadConfig, TheTokensFileIsBelowTheStateDirUnlessNamed) {
  LoadOptions options;
  options.paths.state_dir = dir_;
  EXPECT_EQ(tokens_file(*load_with(options)), dir_ / "tokens/tokens.jsonl");
  write("config.toml", "[server]\ntokens_file = \"/etc/outrigger/who.jsonl\"\n");
  EXPECT_EQ(tokens_file(*load_with(options)), "/etc/outrigger/who.jsonl");
  write("config.toml", "[server]\ntokens_file = \"who.jsonl\"\n");
  EXPECT_FALSE(load_with(options).has_value());
}

TEST_F(LoadConfig, ANamedFileMustExistADefaultOneNeedNot) {
  LoadOptions options;
  options.paths.state_dir = dir_;
  EXPECT_TRUE(load_with(options).has_value());
  options.paths.config_file = dir_ / "missing.toml";
  const auto refused = load_with(options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().errno_value, ENOENT);
  options.paths.config_file = dir_;
  EXPECT_FALSE(load_with(options).has_value()) << "a directory is no file";
}

TEST_F(LoadConfig, TheCommandLineWinsOverTheFile) {
  write("config.toml",
        "[server]\nlisten = \"127.0.0.1:1\"\n[log]\nformat = \"text\"\n[paths]\nrun_dir = \"/elsewhere\"\n");
  LoadOptions options;
  options.paths.state_dir = dir_;
  options.listen = "127.0.0.1:2";
  options.log_format = base::LogFormat::kJson;
  const auto config = load_with(options);
  ASSERT_TRUE(config.has_value()) << config.error().text();
  EXPECT_EQ(config->server.port, 2);
  EXPECT_EQ(config->log_format, base::LogFormat::kJson);
  EXPECT_EQ(config->paths.run_dir, dir_);
}

TEST_F(LoadConfig, OptionThenEnvironmentThenFileThenDefault) {
  write("config.toml", "[paths]\nimages_dir = \"/file\"\n");
  LoadOptions options;
  options.paths.state_dir = dir_;
  EXPECT_EQ(load_with(options)->paths.images_dir, "/file");
  environment_["OUTRIGGER_IMAGES_DIR"] = "/environment";
  EXPECT_EQ(load_with(options)->paths.images_dir, "/environment");
  options.paths.images_dir = "/option";
  EXPECT_EQ(load_with(options)->paths.images_dir, "/option");
}

TEST_F(LoadConfig, ABuildTreeUsesItsOwnRuntimesAndImages) {
  LoadOptions options;
  EXPECT_EQ(load_with(options)->paths.images_dir, "/var/lib/outrigger/images");
  EXPECT_EQ(load_with(options)->paths.runtimes_dir, "/usr/share/outrigger/runtimes");
  fs::create_directories(dir_ / "build/bin");
  fs::create_directories(dir_ / "runtimes");
  EXPECT_EQ(load_with(options)->paths.images_dir, dir_ / "build/images");
  EXPECT_EQ(load_with(options)->paths.runtimes_dir, dir_ / "runtimes");
}

TEST_F(LoadConfig, APresetsBuildUsesTheMainBuildsImages) {
  fs::create_directories(dir_ / "build/dev/bin");
  fs::create_directories(dir_ / "runtimes");
  const auto paths = [this] {
    return resolve_paths({}, dir_ / "build/dev/bin", [](const std::string&) { return std::nullopt; });
  };
  EXPECT_EQ(paths().images_dir, dir_ / "build/dev/images");
  fs::create_directories(dir_ / "build/images");
  EXPECT_EQ(paths().images_dir, dir_ / "build/images");
  EXPECT_EQ(paths().runtimes_dir, dir_ / "runtimes");
  fs::create_directories(dir_ / "build/dev/images");
  EXPECT_EQ(paths().images_dir, dir_ / "build/dev/images");
}

}  // namespace
}  // namespace outrigger::config
