#include "wire/run_record.h"

#include <gtest/gtest.h>

namespace outrigger::wire {
namespace {

using namespace std::chrono_literals;

model::RunRecord sample() {
  model::RunRecord record;
  model::Outcome& out = record.outcome;
  out.job_id = "0123";
  out.tenant_id = "acme";
  out.language = "python";
  out.status = model::Status::kMemoryExceeded;
  out.exit_code = 137;
  out.signal = "SIGKILL";
  out.cause = {"memory_ceiling", "killed at 128 MiB"};
  out.stdout_stream.bytes = 700'000;
  out.stdout_stream.truncated = true;
  out.wall_time = 3100us;
  out.queue_time = 12us;
  out.usage = {.cpu_time = 1900us,
               .setup_cpu_time = std::nullopt,
               .throttled_time = 0us,
               .periods = 3,
               .throttled_periods = 1,
               .peak_memory_bytes = 134'217'728,
               .oom_kills = 1,
               .memory_limit_hits = 7,
               .peak_pids = 4,
               .pids_limit_hits = 0};
  out.security_events = {{"seccomp_violation", "socket", 1, "socket", {"0x2", "0x1"}}, {"oom_kill", "one", 1, "", {}}};
  out.limits.pids = 7;
  out.started_at = std::chrono::system_clock::time_point{1738315800s + 125us};
  out.ended_at = out.started_at + 3100us;
  record.received_at = out.started_at - 12us;
  record.code_sha256 = std::string(64, 'a');
  record.code_bytes = 17;
  record.command = "/usr/bin/python3 main.py";
  record.node = "n1";
  record.cgroup_driver = "v1";
  record.origin = model::Origin::kQueue;
  record.attempt = 2;
  record.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
  return record;
}

TEST(RunRecord, IsReadBackAsWritten) {
  const std::string text = run_record_json(sample());
  const auto again = parse_run_record(text);
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_EQ(run_record_json(*again), text);
  EXPECT_EQ(again->outcome.usage.pids_limit_hits, 0U);
  EXPECT_EQ(again->outcome.limits.pids, 7U);
  EXPECT_EQ(again->origin, model::Origin::kQueue);
}

TEST(RunRecord, WhatWasNotCountedStaysUnknown) {
  model::RunRecord record = sample();
  record.outcome.usage = {};
  record.cgroup_driver.clear();
  const auto again = parse_run_record(run_record_json(record));
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_FALSE(again->outcome.usage.cpu_time.has_value());
  EXPECT_FALSE(again->outcome.usage.oom_kills.has_value());
  EXPECT_EQ(again->cgroup_driver, "");
}

TEST(RunRecord, HasNothingOfTheOutput) {
  model::RunRecord record = sample();
  record.outcome.stdout_stream.data = "secret";
  EXPECT_EQ(run_record_json(record).find("secret"), std::string::npos);
}

TEST(RunRecord, ItsColumnsAreReadBackAlone) {
  const model::RunRecord record = sample();
  model::Outcome out;
  const auto read =
      parse_json_columns(security_events_json(record.outcome.security_events), limits_json(record.outcome.limits), out);
  ASSERT_TRUE(read.has_value()) << read.error().text();
  ASSERT_EQ(out.security_events.size(), 2U);
  EXPECT_EQ(out.security_events[0].args, record.outcome.security_events[0].args);
  EXPECT_EQ(out.limits, record.outcome.limits);
}

TEST(RunRecord, RefusesWhatIsNone) {
  for (const char* text : {"", "[]", "{}", R"({"job_id":1})"}) {
    const auto record = parse_run_record(text);
    ASSERT_FALSE(record.has_value()) << text;
    EXPECT_EQ(record.error().code, base::Code::kInvalid);
  }
  std::string text = run_record_json(sample());
  text.replace(text.find("2025-01-31T"), 4, "abcd");
  EXPECT_FALSE(parse_run_record(text).has_value());
}

}  // namespace
}  // namespace outrigger::wire
