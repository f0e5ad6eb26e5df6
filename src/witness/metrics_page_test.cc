#include "witness/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace outrigger::witness {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(const MetricsSnapshot& now) { return families::to_text(metrics_page(now, std::nullopt, "1.2.3")); }

// The value of a series; an empty text where there is no such one.
std::string value(const std::string& page, const std::string& series) {
  const std::string text = "\n" + page;
  const std::size_t at = text.find("\n" + series + " ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + series.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(MetricsPage, NamesWhatTheContractNames) {
  MetricsSnapshot now;
  now.host_memory_bytes = 1;
  now.dispatch_paused = false;
  std::set<std::string> names;
  for (const auto& family : metrics_page(now, std::nullopt, "1.2.3")) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_FALSE(family.help.empty()) << family.name;
    const bool total = family.name.ends_with("_total");
    EXPECT_EQ(family.type == prometheus::MetricType::Counter, total) << family.name;
  }
  EXPECT_THAT(names,
              testing::ElementsAre(
                  "crows_nest_alerts_dropped_total", "crows_nest_alerts_sent_total", "crows_nest_build_info",
                  "crows_nest_dispatch_paused", "crows_nest_dispatch_paused_by_ceiling",
                  "crows_nest_fleet_ceiling_ratio", "crows_nest_fleet_memory_bytes", "crows_nest_host_memory_bytes",
                  "crows_nest_incidents_total", "crows_nest_inotify_overflows_total",
                  "crows_nest_job_cpu_throttled_seconds_total", "crows_nest_job_cpu_usage_seconds_total",
                  "crows_nest_job_memory_bytes", "crows_nest_job_pids", "crows_nest_jobs",
                  "crows_nest_ledger_errors_total", "crows_nest_ledger_lines_total", "crows_nest_memory_events_total",
                  "crows_nest_missed_jobs_total", "crows_nest_summaries_stuck", "crows_nest_summaries_waiting",
                  "crows_nest_terminations_total", "crows_nest_unwatched_jobs_total", "crows_nest_watching"));
}

TEST(MetricsPage, EachJobHasItsSeriesWithItsIdAndTenant) {
  MetricsSnapshot now;
  now.jobs = {{"j1", "acme", 4096, 1'500'000, 250'000, 3}, {"j2", "other", 8192, 0, 0, 1}};
  const std::string text = page(now);
  EXPECT_EQ(value(text, R"(crows_nest_job_memory_bytes{job_id="j1",tenant_id="acme"})"), "4096");
  EXPECT_EQ(value(text, R"(crows_nest_job_memory_bytes{job_id="j2",tenant_id="other"})"), "8192");
  EXPECT_EQ(value(text, R"(crows_nest_job_cpu_usage_seconds_total{job_id="j1",tenant_id="acme"})"), "1.5");
  EXPECT_EQ(value(text, R"(crows_nest_job_cpu_throttled_seconds_total{job_id="j1",tenant_id="acme"})"), "0.25");
  EXPECT_EQ(value(text, R"(crows_nest_job_pids{job_id="j2",tenant_id="other"})"), "1");
  EXPECT_EQ(value(text, "crows_nest_jobs"), "2");
}

TEST(MetricsPage, WhatIsNotKnownIsNoSeries) {
  MetricsSnapshot now;
  now.jobs = {{"j1", "acme", std::nullopt, 5, std::nullopt, std::nullopt}};
  const std::string text = page(now);
  EXPECT_THAT(text, Not(HasSubstr("crows_nest_job_memory_bytes{")));
  EXPECT_THAT(text, Not(HasSubstr("crows_nest_job_cpu_throttled_seconds_total{")));
  EXPECT_THAT(text, Not(HasSubstr("crows_nest_job_pids{")));
  EXPECT_THAT(text, HasSubstr("crows_nest_job_cpu_usage_seconds_total{"));
  EXPECT_EQ(value(text, "crows_nest_host_memory_bytes"), "");
  EXPECT_EQ(value(text, "crows_nest_dispatch_paused"), "");
  EXPECT_THAT(text, Not(HasSubstr("process_")));
}

TEST(MetricsPage, CountsStandUnderWhatTheyCount) {
  MetricsSnapshot now;
  now.memory_events = {{"oom_kill", 2}, {"max", 9}};
  now.terminations = {{"exited", 5}};
  now.incidents = {{"fork_bomb", 1}};
  now.ledger_lines = {{"execution", 6}};
  now.ledger_errors = {{"incidents", 4}};
  now.missed_jobs = 3;
  now.turned_away = 7;
  now.summaries_waiting = 8;
  const std::string text = page(now);
  EXPECT_EQ(value(text, R"(crows_nest_memory_events_total{event="oom_kill"})"), "2");
  EXPECT_EQ(value(text, R"(crows_nest_memory_events_total{event="max"})"), "9");
  EXPECT_EQ(value(text, R"(crows_nest_terminations_total{cause="exited"})"), "5");
  EXPECT_EQ(value(text, R"(crows_nest_incidents_total{rule="fork_bomb"})"), "1");
  EXPECT_EQ(value(text, R"(crows_nest_ledger_lines_total{ledger="execution"})"), "6");
  EXPECT_EQ(value(text, R"(crows_nest_ledger_errors_total{ledger="incidents"})"), "4");
  EXPECT_EQ(value(text, "crows_nest_missed_jobs_total"), "3");
  EXPECT_EQ(value(text, "crows_nest_unwatched_jobs_total"), "7");
  EXPECT_EQ(value(text, "crows_nest_summaries_waiting"), "8");
}

TEST(MetricsPage, TheFleetIsShownWithItsCeilingAndWhoPausedIt) {
  MetricsSnapshot now;
  now.fleet_memory_bytes = 10;
  now.host_memory_bytes = 100;
  now.ceiling = 0.5;
  now.dispatch_paused = true;
  const std::string text = page(now);
  EXPECT_EQ(value(text, "crows_nest_fleet_memory_bytes"), "10");
  EXPECT_EQ(value(text, "crows_nest_host_memory_bytes"), "100");
  EXPECT_EQ(value(text, "crows_nest_fleet_ceiling_ratio"), "0.5");
  EXPECT_EQ(value(text, "crows_nest_dispatch_paused"), "1");
  EXPECT_EQ(value(text, "crows_nest_dispatch_paused_by_ceiling"), "0");
}

TEST(MetricsPage, TheAuditorsOwnProcessStandsBesideWhereItIsKnown) {
  const std::string text = families::to_text(metrics_page({}, sys::OwnProcess{}, "1.2.3"));
  EXPECT_THAT(text, HasSubstr("# HELP process_open_fds File descriptors the auditor has open.\n"));
  EXPECT_EQ(value(text, R"(crows_nest_build_info{version="1.2.3"})"), "1");
}

}  // namespace
}  // namespace outrigger::witness
