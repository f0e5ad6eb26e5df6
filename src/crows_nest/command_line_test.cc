#include <gtest/gtest.h>

#include "crows_nest/options.h"

namespace outrigger::crows_nest {
namespace {

using namespace std::chrono_literals;

std::expected<Command, NothingToDo> parse(std::initializer_list<std::string> words) {
  const std::vector<std::string> all(words);
  return parse_command_line(all);
}

TEST(CommandLine, TheTable) {
  const auto command = parse({"outrigger", "--audit", "--active-jobs", "--json", "--state-dir", "/d", "--sort", "cpu"});
  ASSERT_TRUE(command.has_value()) << command.error().err;
  const auto& audit = std::get<AuditOptions>(*command);
  EXPECT_TRUE(audit.json);
  EXPECT_FALSE(audit.watch);
  EXPECT_EQ(audit.order, view::Order::kCpu);
  EXPECT_EQ(audit.settings.load.paths.state_dir, "/d");
}

TEST(CommandLine, TheStateDirectoryMayStandBeforeTheVerb) {
  const auto command = parse({"--state-dir", "/d", "ledger", "verify", "--anchor", "ab", "--anchor", "cd"});
  ASSERT_TRUE(command.has_value()) << command.error().err;
  const auto& verify = std::get<LedgerVerifyOptions>(*command);
  EXPECT_EQ(verify.settings.load.paths.state_dir, "/d");
  EXPECT_EQ(verify.anchors, (std::vector<std::string>{"ab", "cd"}));
}

TEST(CommandLine, Watching) {
  const auto command = parse({"watch", "--state-dir", "/d", "--interval", "500ms", "--ceiling", "0.5%", "--metrics",
                              "127.0.0.1:9464", "--json"});
  ASSERT_TRUE(command.has_value()) << command.error().err;
  const auto& watch = std::get<WatchVerb>(*command);
  EXPECT_EQ(watch.settings.interval, 500ms);
  EXPECT_EQ(watch.settings.ceiling, 0.005);
  EXPECT_EQ(watch.settings.metrics_listen, "127.0.0.1:9464");
  EXPECT_EQ(watch.settings.load.log_format, base::LogFormat::kJson);
}

TEST(CommandLine, LinesOfALedger) {
  const auto command = parse({"incidents", "--job", "a", "--rule", "oom_kill", "--since", "10m", "--last", "5"});
  ASSERT_TRUE(command.has_value()) << command.error().err;
  const auto& lines = std::get<LinesOptions>(*command);
  EXPECT_TRUE(lines.incidents);
  EXPECT_EQ(lines.job_id, "a");
  EXPECT_EQ(lines.rule, "oom_kill");
  EXPECT_TRUE(lines.since.has_value());
  EXPECT_EQ(lines.limit, 5U);
}

TEST(CommandLine, WhatIsWrongIsSaidAndIsNoVerdict) {
  for (const auto& words : {std::vector<std::string>{},
                            {"outriger"},
                            {"watch", "--interval", "soon"},
                            {"watch", "--ceiling", "120%"},
                            {"ledger"},
                            {"ledger", "show", "--since", "noon"},
                            {"outrigger", "--sort", "beauty"},
                            {"ledger", "head", "--ledger", "other"}}) {
    const auto command = parse_command_line(words);
    ASSERT_FALSE(command.has_value());
    EXPECT_EQ(command.error().status, kCannotAudit);
    EXPECT_NE(command.error().err, "");
  }
}

TEST(CommandLine, HelpIsNoFault) {
  const auto command = parse({"watch", "--help"});
  ASSERT_FALSE(command.has_value());
  EXPECT_EQ(command.error().status, kHealthy);
  EXPECT_NE(command.error().out.find("--metrics"), std::string::npos) << command.error().out;
}

TEST(Quantities, Durations) {
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("250"), 250ms);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("2m"), 2min);
  for (const char* text : {"", "s", "0", "-1s", "1w", "1s2", "nan", "1e9h"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Quantities, Shares) {
  EXPECT_EQ(parse_share("65%"), 0.65);
  EXPECT_EQ(parse_share("65"), 0.65);
  EXPECT_EQ(parse_share("0.65"), 0.65);
  EXPECT_EQ(parse_share("1"), 1.0);
  EXPECT_EQ(parse_share("0.5 %"), 0.005);
  for (const char* text : {"", "0", "0%", "-5%", "101", "65 percent", "x"}) EXPECT_EQ(parse_share(text), std::nullopt);
}

TEST(Quantities, SinceIsATimeOrHowLongAgo) {
  const std::chrono::system_clock::time_point now{std::chrono::seconds{1'738'315'800}};
  EXPECT_EQ(parse_since("2025-01-31T09:00:00Z", now), now - 30min);
  EXPECT_EQ(parse_since("2h", now), now - 2h);
  EXPECT_EQ(parse_since("yesterday", now), std::nullopt);
}

}  // namespace
}  // namespace outrigger::crows_nest
