#include "piston/result.h"

#include <gtest/gtest.h>

namespace outrigger::piston {
namespace {

Runtime python() { return {"python", {3, 11, 2}, {}, {}, nullptr}; }

model::Outcome ended(model::Status status, int exit_code, const char* signal) {
  model::Outcome outcome;
  outcome.status = status;
  outcome.exit_code = exit_code;
  if (signal != nullptr) outcome.signal = signal;
  outcome.cause = {"code", "the evidence"};
  return outcome;
}

TEST(PistonResult, HasEveryMemberInPistonsUnits) {
  model::Outcome outcome = ended(model::Status::kCompleted, 0, nullptr);
  outcome.stdout_stream.data = "out";
  outcome.stderr_stream.data = "err";
  outcome.wall_time = std::chrono::microseconds{12'345};
  outcome.usage.cpu_time = std::chrono::microseconds{2'000};
  outcome.usage.peak_memory_bytes = 4096;
  EXPECT_EQ(
      result_json(outcome, python()),
      R"({"run":{"signal":null,"stdout":"out","stderr":"err","code":0,"output":"outerr","memory":4096,)"
      R"("message":null,"status":null,"cpu_time":2.0,"wall_time":12.345},"language":"python","version":"3.11.2"})");
}

TEST(PistonResult, HasACompileStageAndWhereItFailedNoOther) {
  model::Outcome outcome = ended(model::Status::kFailed, 1, nullptr);
  model::CompileReport& step = outcome.compile.emplace();
  step.status = model::Status::kFailed;
  step.exit_code = 1;
  step.stderr_stream.data = "no such name";
  const std::string failed = result_json(outcome, python());
  EXPECT_TRUE(failed.starts_with(
      R"({"compile":{"signal":null,"stdout":"","stderr":"no such name","code":1,"output":"no such name",)"))
      << failed;
  EXPECT_EQ(failed.find(R"("run")"), std::string::npos);
  step.status = model::Status::kCompleted;
  step.exit_code = 0;
  const std::string ran = result_json(outcome, python());
  EXPECT_NE(ran.find(R"("code":0)"), std::string::npos);
  EXPECT_NE(ran.find(R"("run":{"signal":null)"), std::string::npos);
}

TEST(PistonResult, TellsTheOrderOfTheOutputWhereItIsKnown) {
  model::Outcome outcome = ended(model::Status::kCompleted, 0, nullptr);
  outcome.stdout_stream.data = "ac";
  outcome.stderr_stream.data = "b";
  EXPECT_NE(result_json(outcome, python(), "abc").find(R"("output":"abc")"), std::string::npos);
}

void expect_ending(const model::Outcome& outcome, const std::string& status, const std::string& message,
                   const std::string& signal) {
  const Ending ending = ending_of(outcome);
  EXPECT_EQ(ending.status, status);
  EXPECT_EQ(ending.message, message);
  EXPECT_EQ(ending.signal, signal);
  EXPECT_EQ(ending.has_code, signal.empty() && status != "XX");
}

TEST(PistonResult, EndsInIsolatesTerms) {
  using enum model::Status;
  expect_ending(ended(kCompleted, 0, nullptr), "", "", "");
  expect_ending(ended(kFailed, 137, nullptr), "RE", "Exited with error status 137", "");
  expect_ending(ended(kTimeout, 137, "SIGKILL"), "TO", "Time limit exceeded (wall clock)", "SIGKILL");
  expect_ending(ended(kCpuExceeded, 152, "SIGXCPU"), "TO", "Time limit exceeded", "SIGKILL");
  expect_ending(ended(kSignaled, 139, "SIGSEGV"), "SG", "Caught fatal signal 11", "SIGSEGV");
  expect_ending(ended(kMemoryExceeded, 137, "SIGKILL"), "SG", "Caught fatal signal 9: the evidence", "SIGKILL");
  expect_ending(ended(kSecurityViolation, 159, "SIGSYS"), "SG", "Caught fatal signal 31: the evidence", "SIGSYS");
  model::Outcome ours;
  ours.cause.text = "the jailer died";
  expect_ending(ours, "XX", "the jailer died", "");
}

TEST(PistonResult, OutputThatWasCutIsToldAndEndsBetweenTwoCharacters) {
  model::Outcome outcome = ended(model::Status::kCompleted, 0, nullptr);
  outcome.stdout_stream.data = "a\xc3";
  outcome.stdout_stream.truncated = true;
  expect_ending(outcome, "OL", "stdout length exceeded", "");
  EXPECT_NE(result_json(outcome, python()).find(R"("stdout":"a",)"), std::string::npos);
  outcome.stdout_stream.truncated = false;
  outcome.stderr_stream.truncated = true;
  expect_ending(outcome, "EL", "stderr length exceeded", "");
}

}  // namespace
}  // namespace outrigger::piston
