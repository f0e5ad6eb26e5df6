#include "store_sql/run_row.h"

#include <gtest/gtest.h>

#include "store_sql/test_record.h"
#include "wire/run_record.h"

namespace outrigger::store::sql {
namespace {

using namespace std::chrono_literals;

void expect_exact(const model::RunRecord& record) {
  const auto row = row_of(record);
  ASSERT_TRUE(row.has_value()) << row.error().text();
  const auto again = record_of(*row);
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_EQ(wire::run_record_json(*again), wire::run_record_json(record));
}

std::size_t column(std::string_view name) {
  for (std::size_t i = 0; i < kRunColumns.size(); ++i) {
    if (kRunColumns[i].name == name) return i;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(RunRow, ReadsBackWhatWasWritten) {
  expect_exact(test_record("0123"));
  expect_exact(empty_test_record("0124"));
}

TEST(RunRow, KeepsEveryMicrosecond) {
  model::RunRecord record = test_record("0123");
  for (const auto time : {0us, 1us, 999us, 1001us, 123'456'789'012us, 86'400'000'001us, 999'999'999'999'999us}) {
    record.outcome.wall_time = time;
    record.outcome.usage.cpu_time = time;
    expect_exact(record);
  }
}

TEST(RunRow, WhatTheKernelDidNotCountIsNull) {
  const auto row = row_of(empty_test_record("0123")).value();
  for (const char* name :
       {"exit_code", "signal", "cpu_time_ms", "throttled_time_ms", "nr_periods", "nr_throttled", "peak_memory_bytes",
        "oom_kills", "memory_max_events", "pids_peak", "pids_limit_hits", "cgroup_driver"}) {
    EXPECT_FALSE(row.at(column(name)).has_value()) << name;
  }
  EXPECT_EQ(row.at(column("attempt")), "0");
}

TEST(RunRow, RefusesWhatADatabaseWouldCutAndNamesTheColumn) {
  using namespace std::string_literals;
  for (const std::string& text : {"a\0b"s, "\xff"s, "\xed\xa0\x80"s}) {
    model::RunRecord record = test_record("0123");
    record.command = text;
    const auto row = row_of(record);
    ASSERT_FALSE(row.has_value());
    EXPECT_EQ(row.error().code, base::Code::kInvalid);
    EXPECT_NE(row.error().context.find("0123: command"), std::string::npos) << row.error().context;
  }
  model::RunRecord record = test_record("0123");
  record.outcome.security_events[0].args[1] = "\0"s;
  EXPECT_NE(row_of(record).error().context.find("security_events"), std::string::npos);
  record = test_record("0123");
  record.outcome.usage.peak_memory_bytes = 1ULL << 63;
  EXPECT_NE(row_of(record).error().context.find("peak_memory_bytes"), std::string::npos);
}

TEST(RunRow, RefusesARowThatNoRecordMakes) {
  const auto good = row_of(test_record("0123")).value();
  const std::pair<const char*, std::optional<std::string>> wrongs[] = {
      {"status", "fine"},      {"status", std::nullopt}, {"code_bytes", "-1"},
      {"exit_code", "12x"},    {"wall_time_ms", "no"},   {"wall_time_ms", "inf"},
      {"wall_time_ms", "nan"}, {"started_at", "now"},    {"stdout_truncated", "maybe"},
      {"limits", "[]"}};
  for (const auto& [name, value] : wrongs) {
    RunRow row = good;
    row.at(column(name)) = value;
    const auto record = record_of(row);
    ASSERT_FALSE(record.has_value()) << name;
    EXPECT_NE(record.error().context.find(std::string("0123: ") + name), std::string::npos) << record.error().context;
  }
}

}  // namespace
}  // namespace outrigger::store::sql
