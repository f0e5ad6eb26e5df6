#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Words = std::vector<std::string>;

std::optional<std::string> no_variable(const std::string&) { return std::nullopt; }

template <typename Options>
Options parse(const Words& words, const config::Environment& environment = no_variable) {
  auto command = parse_command_line(words, environment);
  if (command && std::holds_alternative<Options>(*command)) return std::get<Options>(*command);
  ADD_FAILURE() << (command ? "another verb" : command.error().err);
  return {};
}

std::string complaint(const Words& words) {
  const auto command = parse_command_line(words, no_variable);
  if (command) return "accepted";
  EXPECT_EQ(command.error().status, kExitUsage);
  EXPECT_EQ(command.error().out, "");
  return command.error().err;
}

TEST(CommandLine, WhatFollowsTheFileIsTheProgramsOwn) {
  const auto run = parse<RunOptions>({"run", "-l", "python", "x.py", "--json", "-l", "--", "--help"});
  EXPECT_EQ(run.language, "python");
  EXPECT_EQ(run.file, "x.py");
  EXPECT_THAT(run.args, ElementsAre("--json", "-l", "--", "--help"));
  EXPECT_FALSE(run.json);
}

TEST(CommandLine, AFileMayBeStdinOrBeginWithADash) {
  EXPECT_EQ(parse<RunOptions>({"run", "-"}).file, "-");
  EXPECT_EQ(parse<RunOptions>({"run", "--", "-x.py", "a"}).file, "-x.py");
  EXPECT_THAT(parse<RunOptions>({"run", "--", "-x.py", "a"}).args, ElementsAre("a"));
}

TEST(CommandLine, RepeatedOptionsTakeOneWordEach) {
  const auto run =
      parse<RunOptions>({"run", "--env", "A=1", "--env", "B=x=y", "--file", "in.csv=/data/big.csv", "--file",
                         "plain.txt", "--collect", "*.csv", "--collect", "out/**", "x.py", "arg"});
  EXPECT_THAT(run.collect, ElementsAre("*.csv", "out/**"));
  EXPECT_EQ(run.output_dir, ".");
  EXPECT_THAT(run.env, ElementsAre(Pair("A", "1"), Pair("B", "x=y")));
  EXPECT_THAT(run.files, ElementsAre(Pair("in.csv", "/data/big.csv"), Pair("plain.txt", "plain.txt")));
  EXPECT_EQ(run.file, "x.py");
  EXPECT_THAT(run.args, ElementsAre("arg"));
}

TEST(CommandLine, EveryLimitHasItsOption) {
  const auto run =
      parse<RunOptions>({"run", "--wall-time-ms", "2000", "--cpu-time-ms=100", "--memory-bytes", "64M", "--cpu-cores",
                         "0.25", "--pids", "8", "--output-bytes", "1k", "--tmpfs-bytes", "1M", "x.py"});
  ASSERT_EQ(run.limits.size(), model::kLimitFields.size());
  model::Limits limits;
  for (const auto& [field, value] : run.limits) field->set(limits, value);
  EXPECT_EQ(limits, (model::Limits{std::chrono::milliseconds(2000), std::chrono::milliseconds(100), 64U << 20, 0.25, 8,
                                   1024, 1U << 20}));
}

TEST(CommandLine, TheServerIsTheOptionsThenTheEnvironmentsThenTheDefault) {
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    return name == "OUTRIGGER_SERVER" ? "http://there:1" : "secret";
  };
  EXPECT_EQ(parse<RunOptions>({"run", "--server", "http://here:1", "x"}, environment).remote.server, "http://here:1");
  EXPECT_EQ(parse<RunOptions>({"run", "x"}, environment).remote.server, "http://there:1");
  EXPECT_EQ(parse<RunOptions>({"run", "x"}, environment).remote.token, "secret");
  EXPECT_EQ(parse<RunOptions>({"run", "x"}).remote.server, "http://127.0.0.1:8080");
  EXPECT_TRUE(parse<RunOptions>({"run", "--local", "x"}, environment).local);
}

TEST(CommandLine, PlacesBelongToEachVerb) {
  EXPECT_EQ(parse<DoctorOptions>({"doctor", "--state-dir", "/s", "--json"}).paths.state_dir, "/s");
  EXPECT_EQ(parse<RuntimeListOptions>({"runtime", "list", "--runtimes-dir", "/r"}).paths.runtimes_dir, "/r");
  const auto build =
      parse<RuntimeBuildOptions>({"runtime", "build", "python", "node", "--force", "--images-dir", "/i"});
  EXPECT_THAT(build.names, ElementsAre("python", "node"));
  EXPECT_TRUE(build.force);
  EXPECT_EQ(build.paths.images_dir, "/i");
  EXPECT_TRUE(parse<VersionOptions>({"version", "--json"}).json);
}

TEST(CommandLine, HelpIsNoErrorAndBelongsToItsVerb) {
  for (const Words& words : {Words{"--help"}, Words{"run", "-h"}, Words{"runtime", "build", "--help"}}) {
    const auto command = parse_command_line(words, no_variable);
    ASSERT_FALSE(command);
    EXPECT_EQ(command.error().status, 0);
    EXPECT_EQ(command.error().err, "");
    EXPECT_THAT(command.error().out, HasSubstr("Examples:"));
    EXPECT_TRUE(command.error().out.ends_with("\n"));
  }
  EXPECT_THAT(parse_command_line(Words{"run", "--help"}, no_variable).error().out, HasSubstr("FILE|- [ARGUMENT...]"));
}

TEST(CommandLine, AnUnknownWordGetsAHint) {
  EXPECT_THAT(complaint({"rnu"}), HasSubstr("unknown verb \"rnu\"; did you mean \"run\"?"));
  EXPECT_THAT(complaint({"runtime", "lst"}), HasSubstr("did you mean \"list\"?"));
  EXPECT_THAT(complaint({"run", "--wal-time-ms", "5", "x"}), HasSubstr("did you mean \"--wall-time-ms\"?"));
  EXPECT_THAT(complaint({"doctor", "--jsn"}), HasSubstr("Try `outrigger doctor --help`."));
  EXPECT_THAT(complaint({"version", "x"}), HasSubstr("unknown argument \"x\""));
}

TEST(CommandLine, WhatIsMissingOrWrongIsNamed) {
  EXPECT_THAT(complaint({}), HasSubstr("run submit status cancel runs doctor runtime token mcp version"));
  EXPECT_THAT(complaint({"runtime"}), HasSubstr("list build"));
  EXPECT_THAT(complaint({"run"}), HasSubstr("FILE"));
  EXPECT_THAT(complaint({"run", "--pids", "many", "x"}), HasSubstr("--pids: must be a positive number, not \"many\""));
  EXPECT_THAT(complaint({"run", "--pids", "0.5", "x"}), HasSubstr("--pids"));
  EXPECT_THAT(complaint({"run", "--pids", "0", "x"}), HasSubstr("--pids"));
  EXPECT_THAT(complaint({"run", "--memory-bytes", "64Q", "x"}), HasSubstr("size such as 64M"));
  EXPECT_THAT(complaint({"run", "--env", "A", "x"}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(complaint({"run", "--local", "--server", "http://x", "x"}), HasSubstr("--local excludes --server"));
  EXPECT_THAT(complaint({"run", "--output-encoding", "latin1", "x"}), HasSubstr("utf8 or base64"));
}

TEST(CommandLine, ATokenIsMadeForATenantWithItsQuotas) {
  const auto create =
      parse<TokenCreateOptions>({"token",   "create",           "--tenant", "acme",      "--concurrent",
                                 "4",       "--per-minute",     "none",     "--limit",   "wall_time_ms=2000",
                                 "--limit", "memory_bytes=64M", "--limit",  "pids=none", "--expires",
                                 "30d",     "--note",           "a b",      "--json",    "--state-dir",
                                 "/s"});
  EXPECT_EQ(create.tenant, "acme");
  EXPECT_EQ(create.quotas.concurrent, 4U);
  EXPECT_EQ(create.quotas.per_minute, 0U);
  ASSERT_EQ(create.quotas.limits.size(), 3U);
  EXPECT_EQ(create.quotas.limits[0].first->name, "wall_time_ms");
  EXPECT_EQ(create.quotas.limits[0].second, 2000);
  EXPECT_EQ(create.quotas.limits[1].second, 64 << 20);
  EXPECT_EQ(create.quotas.limits[2].second, 0);
  EXPECT_EQ(create.lifetime, std::chrono::hours{30 * 24});
  EXPECT_EQ(create.note, "a b");
  EXPECT_TRUE(create.json);
  EXPECT_EQ(create.paths.state_dir, "/s");
}

TEST(CommandLine, TokensAreListedRevokedAndTheirTenantsQuotasShown) {
  EXPECT_FALSE(parse<TokenListOptions>({"token", "list"}).json);
  EXPECT_EQ(parse<TokenRevokeOptions>({"token", "revoke", "abc"}).id, "abc");
  const auto quota = parse<TokenQuotaOptions>({"token", "quota", "acme", "--per-minute", "60"});
  EXPECT_EQ(quota.tenant, "acme");
  EXPECT_EQ(quota.change.per_minute, 60U);
  EXPECT_FALSE(quota.change.concurrent.has_value());
  EXPECT_TRUE(parse<TokenQuotaOptions>({"token", "quota", "acme"}).change.is_empty());
}

TEST(CommandLine, WhatIsWrongWithATokensOptionsIsNamed) {
  const auto of = [](const char* option, const char* value) {
    return complaint({"token", "create", "--tenant", "a", option, value});
  };
  EXPECT_THAT(complaint({"token"}), HasSubstr("create list revoke quota"));
  EXPECT_THAT(complaint({"token", "create"}), HasSubstr("--tenant"));
  EXPECT_THAT(complaint({"token", "revoke"}), HasSubstr("ID"));
  for (const char* bad : {"0", "-1", "1.5", "many", "100001", ""}) {
    EXPECT_THAT(of("--concurrent", bad), HasSubstr("--concurrent: must be an integer from 1 to 100000")) << bad;
  }
  EXPECT_THAT(of("--limit", "wall_time_ms"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(of("--limit", "walltime=1"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(of("--limit", "pids=0"), HasSubstr("no value for pids"));
  EXPECT_THAT(of("--limit", "pids=1.5"), HasSubstr("no value for pids"));
  EXPECT_THAT(of("--expires", "tomorrow"), HasSubstr("--expires: must be as 30d"));
}

TEST(CommandLine, McpKnowsItsDaemonAndItsTenant) {
  const auto plain = parse<McpOptions>({"mcp"});
  EXPECT_EQ(plain.remote.server, "http://127.0.0.1:8080");
  EXPECT_EQ(plain.tenant, "mcp");
  const auto told = parse<McpOptions>({"mcp", "--server", "http://h:1", "--tenant", "agents"},
                                      [](const std::string& name) -> std::optional<std::string> {
                                        if (name == "OUTRIGGER_TOKEN") return "secret";
                                        return std::nullopt;
                                      });
  EXPECT_EQ(told.remote.server, "http://h:1");
  EXPECT_EQ(told.remote.token, "secret");
  EXPECT_EQ(told.tenant, "agents");
  EXPECT_THAT(complaint({"mcp", "stdio"}), HasSubstr("stdio"));
}

}  // namespace
}  // namespace outrigger::cli
