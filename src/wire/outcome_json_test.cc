#include "wire/outcome_json.h"

#include <gtest/gtest.h>

#include "wire/json_tree.h"
#include "wire/termination.h"

namespace outrigger::wire {
namespace {

using model::OutputEncoding;
using std::chrono::microseconds;

model::Outcome sample() {
  model::Outcome out;
  out.job_id = "0123";
  out.tenant_id = "acme";
  out.language = "python";
  out.status = model::Status::kCompleted;
  out.exit_code = 0;
  out.cause = {"exited", "exited with status 0"};
  out.stdout_stream = {"hi\n", 3, false};
  out.wall_time = microseconds{3100};
  out.usage.cpu_time = microseconds{1900};
  out.usage.throttled_time = microseconds{0};
  out.usage.peak_memory_bytes = 9437184;
  out.usage.oom_kills = 0;
  return out;
}

TEST(OutcomeJson, IsTheContractsAnswerInItsOrder) {
  EXPECT_EQ(
      outcome_to_json(sample(), OutputEncoding::kUtf8),
      R"({"job_id":"0123","tenant_id":"acme","language":"python","status":"completed","exit_code":0,"signal":null,)"
      R"("stdout":"hi\n","stderr":"","stdout_bytes":3,"stderr_bytes":0,"stdout_truncated":false,)"
      R"("stderr_truncated":false,"wall_time_ms":3.1,"queue_time_ms":0.0,"cpu_time_ms":1.9,"throttled_time_ms":0.0,)"
      R"("peak_memory_bytes":9437184,"cgroup_oom_triggered":false,"oom_kills":0,)"
      R"("cause":{"code":"exited","text":"exited with status 0"},"security_events":[],)"
      R"("limits":{"wall_time_ms":5000,"cpu_time_ms":5000,"memory_bytes":134217728,"cpu_cores":0.5,"pids":32,)"
      R"("output_bytes":524288,"tmpfs_bytes":16777216},"files":[],"compile":null})");
}

TEST(OutcomeJson, WhatTheKernelDidNotCountIsNull) {
  model::Outcome out = sample();
  out.usage = {};
  const std::string text = outcome_to_json(out, OutputEncoding::kUtf8);
  for (const char* name :
       {"cpu_time_ms", "throttled_time_ms", "peak_memory_bytes", "cgroup_oom_triggered", "oom_kills"}) {
    EXPECT_NE(text.find(std::string("\"") + name + "\":null"), std::string::npos) << name;
  }
}

TEST(OutcomeJson, DropsACharacterTheCapHasCut) {
  model::Outcome out = sample();
  out.stdout_stream = {"ab\xc3", 100, true};
  out.stderr_stream = {"ab\xc3", 3, false};
  const std::string text = outcome_to_json(out, OutputEncoding::kUtf8);
  EXPECT_NE(text.find(R"("stdout":"ab",)"), std::string::npos);
  EXPECT_NE(text.find("\"stderr\":\"ab\xef\xbf\xbd\","), std::string::npos);
  EXPECT_NE(text.find(R"("stdout_bytes":100)"), std::string::npos);
}

TEST(OutcomeJson, Base64GivesEveryByte) {
  model::Outcome out = sample();
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  out.stdout_stream = {all, 256, false};
  out.stderr_stream = {"ab\xc3", 100, true};
  const auto back = parse_outcome(outcome_to_json(out, OutputEncoding::kBase64), OutputEncoding::kBase64);
  ASSERT_TRUE(back.has_value()) << back.error().text();
  EXPECT_EQ(back->stdout_stream.data, all);
  EXPECT_EQ(back->stderr_stream.data, "ab\xc3");
}

TEST(OutcomeJson, EveryByteOfOutputGivesValidJson) {
  model::Outcome out = sample();
  for (int i = 0; i < 256; ++i) out.stdout_stream.data += static_cast<char>(i);
  EXPECT_TRUE(parse_tree(outcome_to_json(out, OutputEncoding::kUtf8)).has_value());
}

TEST(OutcomeJson, ReadsBackWhatItWrote) {
  model::Outcome out = sample();
  out.status = model::Status::kSecurityViolation;
  out.exit_code = 159;
  out.signal = "SIGSYS";
  out.cause = {"seccomp", "socket(2) is not allowed"};
  out.usage.oom_kills = 2;
  out.usage.throttled_time = microseconds{1234567};
  out.limits.pids = 5;
  out.security_events.push_back({"seccomp_violation", "blocked", 1, "socket", {"0x2", "0x1"}});
  out.security_events.push_back({"oom_kill", "a child", 2, "", {}});
  const auto back = parse_outcome(outcome_to_json(out, OutputEncoding::kUtf8), OutputEncoding::kUtf8);
  ASSERT_TRUE(back.has_value()) << back.error().text();
  EXPECT_EQ(back->status, out.status);
  EXPECT_EQ(back->exit_code, 159);
  EXPECT_EQ(back->signal, "SIGSYS");
  EXPECT_EQ(back->cause.text, out.cause.text);
  EXPECT_EQ(back->wall_time, out.wall_time);
  EXPECT_EQ(back->usage.throttled_time, out.usage.throttled_time);
  EXPECT_EQ(back->usage.oom_kills, 2U);
  EXPECT_EQ(back->limits, out.limits);
  ASSERT_EQ(back->security_events.size(), 2U);
  EXPECT_EQ(back->security_events[0].args, (std::vector<std::string>{"0x2", "0x1"}));
  EXPECT_EQ(back->security_events[1].count, 2U);
}

TEST(OutcomeJson, RefusesWhatIsNoAnswer) {
  for (const char* text : {"", "[]", "{}", "<html>", R"({"job_id":"x"})"}) {
    EXPECT_FALSE(parse_outcome(text, OutputEncoding::kUtf8).has_value()) << text;
  }
}

TEST(Termination, HasTheProtocolsFieldsAndNoZeroForTheUnknown) {
  model::Outcome out = sample();
  out.usage.cpu_time = microseconds{1900};
  out.usage.setup_cpu_time = microseconds{800};
  out.usage.throttled_time = std::nullopt;
  out.started_at = std::chrono::system_clock::time_point{std::chrono::milliseconds{1'738'315'800'007}};
  out.ended_at = out.started_at + std::chrono::milliseconds{4};
  EXPECT_EQ(
      termination_json(out, "/usr/bin/python3 main.py", "v1"),
      R"({"job_id":"0123","command":"/usr/bin/python3 main.py","exit_code":0,"signal":null,"runtime_ms":3.1,)"
      R"("peak_memory_bytes":9437184,"cgroup_oom_triggered":false,"tenant_id":"acme","language":"python",)"
      R"("status":"completed","cause":{"code":"exited","text":"exited with status 0"},)"
      R"("started_at":"2025-01-31T09:30:00.007Z","ended_at":"2025-01-31T09:30:00.011Z","cpu_usage_usec":1900,)"
      R"("setup_cpu_usec":800,"throttled_usec":null,"nr_periods":null,"nr_throttled":null,"oom_kills":0,)"
      R"("memory_max_events":null,"pids_peak":null,"pids_limit_hits":null,"security_events":[],"stdout_bytes":3,"stderr_bytes":0,)"
      R"("cgroup_driver":"v1"})"
      "\n");
}

TEST(OutcomeJson, TheCompileStepComesBackAsItWent) {
  model::Outcome out = sample();
  model::CompileReport& step = out.compile.emplace();
  step.status = model::Status::kTimeout;
  step.exit_code = 137;
  step.signal = "SIGKILL";
  step.cause = {"wall_clock", "too long"};
  step.stdout_stream = {"out", 3, false};
  step.stderr_stream = {"warning\n", 99, true};
  step.wall_time = microseconds{1500};
  step.cpu_time = microseconds{1000};
  step.cached = true;
  for (const OutputEncoding encoding : {OutputEncoding::kUtf8, OutputEncoding::kBase64}) {
    const auto parsed = parse_outcome(outcome_to_json(out, encoding), encoding);
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
    ASSERT_TRUE(parsed->compile.has_value());
    const model::CompileReport& back = *parsed->compile;
    EXPECT_EQ(back.status, step.status);
    EXPECT_EQ(back.exit_code, step.exit_code);
    EXPECT_EQ(back.signal, step.signal);
    EXPECT_EQ(back.cause.code, step.cause.code);
    EXPECT_EQ(back.stdout_stream.data, "out");
    EXPECT_EQ(back.stderr_stream.data, "warning\n");
    EXPECT_EQ(back.stderr_stream.bytes, 99U);
    EXPECT_TRUE(back.stderr_stream.truncated);
    EXPECT_EQ(back.wall_time, step.wall_time);
    EXPECT_EQ(back.cpu_time, step.cpu_time);
    EXPECT_FALSE(back.peak_memory_bytes);
    EXPECT_TRUE(back.cached);
  }
  EXPECT_FALSE(parse_outcome(outcome_to_json(sample(), OutputEncoding::kUtf8), OutputEncoding::kUtf8)->compile);
}

TEST(StreamedOutcome, ComesBackWithoutWhatWasTold) {
  model::Outcome out = sample();
  out.stdout_stream = {"", 700, true};
  out.stderr_stream = {"", 3, false};
  const auto back =
      parse_streamed_outcome(streamed_outcome_to_json(out, OutputEncoding::kBase64), OutputEncoding::kBase64);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(std::pair(back->stdout_stream.bytes, back->stdout_stream.truncated), std::pair(std::uint64_t{700}, true));
  EXPECT_EQ(std::pair(back->stderr_stream.bytes, back->stderr_stream.truncated), std::pair(std::uint64_t{3}, false));
  EXPECT_EQ(outcome_to_json(*back, OutputEncoding::kUtf8), outcome_to_json(out, OutputEncoding::kUtf8));
  EXPECT_FALSE(parse_outcome(streamed_outcome_to_json(out, OutputEncoding::kUtf8), OutputEncoding::kUtf8));
}

TEST(OutputEvent, GivesTheBytes) {
  EXPECT_EQ(parse_output_event(R"({"data":"h\u00e9"})", OutputEncoding::kUtf8).value(), "h\xc3\xa9");
  EXPECT_EQ(parse_output_event(R"({"data":"/w==","more":1})", OutputEncoding::kBase64).value(), "\xff");
  for (const char* text : {"", "[]", "{}", R"({"data":1})", R"({"data":"/w="})"}) {
    EXPECT_FALSE(parse_output_event(text, OutputEncoding::kBase64)) << text;
  }
}

}  // namespace
}  // namespace outrigger::wire
