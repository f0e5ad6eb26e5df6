#include "witness/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>

#include "roster/test_state.h"
#include "wire/json_tree.h"

namespace outrigger::witness {
namespace {

using roster::card_of;
using roster::summary_of;
using testing::ElementsAre;
namespace json = boost::json;

constexpr char kHostile[] = "\"},\"hash\":\"0\"}\n{\"seq\":1\\\x01\x7f \xff\xc3";
// What is ill-formed UTF-8 becomes U+FFFD; all else comes out as it went in.
constexpr char kAsRead[] = "\"},\"hash\":\"0\"}\n{\"seq\":1\\\x01\x7f \xef\xbf\xbd\xef\xbf\xbd";

json::object parse(const std::string& members) {
  EXPECT_EQ(members.find('\n'), std::string::npos);
  const auto tree = wire::parse_tree("{" + members + "}");
  if (!tree || !tree->is_object()) throw std::runtime_error("no JSON: " + members);
  return tree->get_object();
}

std::vector<std::string> names(const json::object& object) {
  std::vector<std::string> names;
  for (const auto& member : object) names.emplace_back(member.key());
  return names;
}

std::string text(const json::value& value) { return std::string(value.as_string()); }

TEST(ExecutionLine, HasTheDocumentedMembersInTheirOrder) {
  const json::object line = parse(execution_members(summary_of(card_of("j1")), {}));
  EXPECT_THAT(names(line),
              ElementsAre("job_id", "attempt", "tenant_id", "language", "command", "status", "exit_code", "signal",
                          "cause", "confidence", "evidence", "wall_time_ms", "peak_memory_bytes", "cpu_usage_usec",
                          "throttled_usec", "cpu_cycles", "cpu_cycles_absent", "oom_kills", "pids_peak", "started_at",
                          "ended_at", "cgroup_driver", "observed"));
  EXPECT_EQ(text(line.at("job_id")), "j1");
  EXPECT_EQ(line.at("attempt"), 1);
  EXPECT_EQ(text(line.at("status")), "completed");
  EXPECT_EQ(line.at("exit_code"), 0);
  EXPECT_TRUE(line.at("signal").is_null());
  EXPECT_EQ(line.at("cpu_usage_usec"), 400'000);
  EXPECT_EQ(text(line.at("started_at")), "1970-01-01T01:00:00.000Z");
  EXPECT_EQ(text(line.at("ended_at")), "1970-01-01T01:00:01.000Z");
  EXPECT_TRUE(line.at("cgroup_driver").is_null());
  EXPECT_EQ(line.at("observed"), false);
}

TEST(ExecutionLine, WhatTheKernelDidNotOfferIsNull) {
  wire::Termination summary = rules::internal_error("spawn");
  const json::object line = parse(execution_members(summary, {}));
  for (const char* name : {"exit_code", "signal", "peak_memory_bytes", "cpu_usage_usec", "throttled_usec", "cpu_cycles",
                           "oom_kills", "pids_peak"}) {
    EXPECT_TRUE(line.at(name).is_null()) << name;
  }
}

TEST(ExecutionLine, CyclesStandWithTheTimeTheyWereCountedOver) {
  roster::Death death;
  death.cycles = {123'456, 400, ""};
  const json::object line = parse(execution_members(summary_of(card_of("j1")), death));
  EXPECT_EQ(line.at("cpu_cycles"), 123'456);
  EXPECT_EQ(line.at("cpu_cycles_over_usec"), 400);
  EXPECT_FALSE(line.contains("cpu_cycles_absent"));
}

TEST(ExecutionLine, TheCauseStandsWithItsEvidence) {
  roster::Death death;
  death.observed = true;
  death.cause = {
      "memory_ceiling", "the kernel killed it", rules::Confidence::kCertain, {{"oom_kills", std::uint64_t{1}}}};
  const json::object line = parse(execution_members(rules::memory_exceeded(), death));
  EXPECT_EQ(text(line.at("cause").at("code")), "memory_ceiling");
  EXPECT_EQ(text(line.at("cause").at("text")), "the kernel killed it");
  EXPECT_EQ(text(line.at("confidence")), "certain");
  EXPECT_EQ(line.at("evidence").at("oom_kills"), 1);
  EXPECT_EQ(line.at("exit_code"), 137);
  EXPECT_EQ(text(line.at("signal")), "SIGKILL");
  EXPECT_EQ(line.at("observed"), true);
}

TEST(ExecutionLine, NoTextOfAJobsLeavesItsPlace) {
  wire::Termination summary = summary_of(card_of("j1"));
  roster::Death death;
  summary.command = summary.outcome.language = kHostile;
  summary.outcome.signal = kHostile;
  death.cause = {kHostile, kHostile, rules::Confidence::kConflict, {{kHostile, std::string(kHostile)}}};
  death.cycles.why_not = kHostile;
  const json::object line = parse(execution_members(summary, death));
  EXPECT_EQ(line.size(), 23U);
  for (const char* name : {"command", "language", "signal", "cpu_cycles_absent"}) {
    EXPECT_EQ(text(line.at(name)), kAsRead) << name;
  }
  EXPECT_EQ(text(line.at("cause").at("text")), kAsRead);
  EXPECT_EQ(text(line.at("evidence").at(kAsRead)), kAsRead);
}

TEST(IncidentLine, HasTheDocumentedMembersInTheirOrder) {
  const rules::Subject job{"j1", "acme", "python", {}, roster::kStart};
  const json::object line = parse(incident_members(&job, {"oom_kill", rules::Severity::kCritical, "a sentence", {}}));
  EXPECT_THAT(names(line), ElementsAre("rule", "severity", "job_id", "tenant_id", "text", "evidence"));
  EXPECT_EQ(text(line.at("rule")), "oom_kill");
  EXPECT_EQ(text(line.at("severity")), "critical");
  EXPECT_EQ(text(line.at("tenant_id")), "acme");
  EXPECT_TRUE(line.at("evidence").as_object().empty());
}

TEST(IncidentLine, EvidenceKeepsItsTypes) {
  const json::object line = parse(incident_members(nullptr, {"any",
                                                             rules::Severity::kInfo,
                                                             "a sentence",
                                                             {{"unknown", std::monostate{}},
                                                              {"count", std::uint64_t{7}},
                                                              {"share", 0.25},
                                                              {"infinite", std::numeric_limits<double>::infinity()},
                                                              {"flag", true},
                                                              {"text", std::string("x")}}}));
  const json::object& evidence = line.at("evidence").as_object();
  EXPECT_TRUE(line.at("job_id").is_null());
  EXPECT_TRUE(evidence.at("unknown").is_null());
  EXPECT_EQ(evidence.at("count"), 7);
  EXPECT_EQ(evidence.at("share"), 0.25);
  EXPECT_TRUE(evidence.at("infinite").is_null());
  EXPECT_EQ(evidence.at("flag"), true);
  EXPECT_EQ(text(evidence.at("text")), "x");
}

TEST(IncidentLine, NoTextLeavesItsPlace) {
  const rules::Subject job{kHostile, kHostile, "python", {}, roster::kStart};
  const json::object line = parse(incident_members(&job, {kHostile, rules::Severity::kInfo, kHostile, {}}));
  EXPECT_EQ(line.size(), 6U);
  for (const char* name : {"rule", "job_id", "tenant_id", "text"}) EXPECT_EQ(text(line.at(name)), kAsRead) << name;
}

}  // namespace
}  // namespace outrigger::witness
