#include <gtest/gtest.h>

#include "wire/daemon_card.h"
#include "wire/job_card.h"
#include "wire/termination.h"

// What the daemon writes for the auditor, read again.
namespace outrigger::wire {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
constexpr std::chrono::system_clock::time_point kStart{milliseconds{1'738'315'800'007}};

model::Outcome ended() {
  model::Outcome out;
  out.job_id = "0123";
  out.tenant_id = "acme";
  out.language = "python";
  out.status = model::Status::kSecurityViolation;
  out.exit_code = 159;
  out.signal = "SIGSYS";
  out.cause = {"seccomp", "system call socket is not allowed"};
  out.wall_time = microseconds{3100};
  out.usage.cpu_time = microseconds{1900};
  out.usage.oom_kills = 0;
  out.usage.peak_pids = 2;
  out.usage.memory_limit_hits = 4;
  out.security_events = {{"seccomp_violation", "not allowed", 1, "socket", {"0x2"}}};
  out.stdout_stream.bytes = 7;
  out.started_at = kStart;
  out.ended_at = kStart + milliseconds{4};
  return out;
}

TEST(Termination, ReadsBackWhatItWrote) {
  const auto back = parse_termination(termination_json(ended(), "/usr/bin/python3 main.py", "v1", 2));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->outcome.job_id, "0123");
  EXPECT_EQ(back->outcome.status, model::Status::kSecurityViolation);
  EXPECT_EQ(back->outcome.exit_code, 159);
  EXPECT_EQ(back->outcome.signal, "SIGSYS");
  EXPECT_EQ(back->outcome.wall_time, microseconds{3100});
  EXPECT_EQ(back->outcome.usage.cpu_time, microseconds{1900});
  EXPECT_EQ(back->outcome.usage.throttled_time, std::nullopt);
  EXPECT_EQ(back->outcome.usage.oom_kills, 0U);
  EXPECT_EQ(back->outcome.usage.memory_limit_hits, 4U);
  EXPECT_EQ(back->outcome.usage.peak_pids, 2U);
  EXPECT_EQ(back->outcome.usage.pids_limit_hits, std::nullopt);
  EXPECT_EQ(back->outcome.security_events.at(0).syscall, "socket");
  EXPECT_EQ(back->outcome.stdout_stream.bytes, 7U);
  EXPECT_EQ(back->outcome.ended_at, kStart + milliseconds{4});
  EXPECT_EQ(back->command, "/usr/bin/python3 main.py");
  EXPECT_EQ(back->cgroup_driver, "v1");
  EXPECT_EQ(back->attempt, 2U);
  EXPECT_EQ(back->cgroup_oom_triggered, false);
}

TEST(Termination, IsOfTheFirstRunWhereItDoesNotSay) {
  EXPECT_EQ(parse_termination(termination_json(ended(), "", "v2"))->attempt, 1U);
}

TEST(Termination, MembersOfANewerDaemonArePassedOver) {
  std::string text = termination_json(ended(), "", "v2");
  text.insert(1, R"("cpu_weather":{"sunny":[1]},)");
  EXPECT_TRUE(parse_termination(text).has_value());
}

TEST(Termination, WhatIsNoneIsNamed) {
  const auto without = [](std::string_view part, std::string_view other) {
    std::string text = termination_json(ended(), "", "v2", 3);
    text.replace(text.find(part), part.size(), other);
    const auto parsed = parse_termination(text);
    return parsed ? "accepted" : parsed.error().field;
  };
  EXPECT_EQ(without(R"("job_id":"0123")", R"("job_id":"../0123")"), "job_id");
  EXPECT_EQ(without(R"("job_id":"0123",)", ""), "job_id");
  EXPECT_EQ(without(R"("tenant_id":"acme")", R"("tenant_id":"a/b")"), "tenant_id");
  EXPECT_EQ(without(R"("status":"security_violation")", R"("status":"vanished")"), "status");
  EXPECT_EQ(without(R"("cpu_usage_usec":1900)", R"("cpu_usage_usec":-1)"), "cpu_usage_usec");
  EXPECT_EQ(without(R"("cpu_usage_usec":1900)", R"("cpu_usage_usec":9e18)"), "cpu_usage_usec");
  EXPECT_EQ(without(R"("runtime_ms":3.1)", R"("runtime_ms":-3.1)"), "runtime_ms");
  EXPECT_EQ(without(R"("runtime_ms":3.1)", R"("runtime_ms":1e300)"), "runtime_ms");
  EXPECT_EQ(without(R"("exit_code":159)", R"("exit_code":4294967295)"), "exit_code");
  EXPECT_EQ(without(R"("attempt":3)", R"("attempt":4294967296)"), "attempt");
  EXPECT_EQ(without(R"("attempt":3)", R"("attempt":0)"), "attempt");
  EXPECT_EQ(without(R"("started_at":"2025-01-31T09:30:00.007Z")", R"("started_at":"noon")"), "started_at");
  EXPECT_EQ(without(R"("started_at":"2025-01-31T09:30:00.007Z")", R"("started_at":"1969-12-31T23:59:59Z")"),
            "started_at");
  for (const char* text : {"", "[]", "{}", "not json", "null"}) EXPECT_FALSE(parse_termination(text).has_value());
}

TEST(JobCard, ReadsBackWhatItWrote) {
  JobCard card{"0123", "acme", "bash", "/bin/bash main.sh", kStart, {}, "/sys/fs/cgroup/outrigger/0123"};
  card.limits.pids = 9;
  const auto back = parse_job_card(job_card_json(card));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->job_id, "0123");
  EXPECT_EQ(back->tenant_id, "acme");
  EXPECT_EQ(back->started_at, kStart);
  EXPECT_EQ(back->limits, card.limits);
  EXPECT_EQ(back->cgroup, card.cgroup);
}

TEST(JobCard, WhatIsNoneIsNamed) {
  EXPECT_EQ(parse_job_card(job_card_json({"A/B", "acme", "bash", "", kStart, {}, "/x"})).error().field, "job_id");
  EXPECT_EQ(parse_job_card(job_card_json({"a", "acme", "bash", "", kStart, {}, "x"})).error().field, "cgroup");
}

TEST(DaemonCard, ReadsBackWhatItWrote) {
  const auto back =
      parse_daemon_card(daemon_card_json({17, "0.1.0", "[::1]:8080", "v2", "/sys/fs/cgroup/outrigger", kStart}));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->pid, 17U);
  EXPECT_EQ(back->listen, "[::1]:8080");
  EXPECT_EQ(back->cgroup_driver, "v2");
  EXPECT_EQ(back->cgroup_root, "/sys/fs/cgroup/outrigger");
  EXPECT_EQ(back->started_at, kStart);
  EXPECT_EQ(parse_daemon_card("{}").error().field, "listen");
}

}  // namespace
}  // namespace outrigger::wire
