#include "judge0/verdict.h"

#include <gtest/gtest.h>

#include "judge0/state.h"
#include "wire/execute_request.h"
#include "wire/outcome_json.h"

namespace outrigger::judge0 {
namespace {

model::Outcome ended(model::Status status, int exit_code) {
  model::Outcome outcome;
  outcome.status = status;
  outcome.exit_code = exit_code;
  outcome.cause = {"code", "the evidence"};
  outcome.wall_time = std::chrono::microseconds{45'678};
  outcome.usage.cpu_time = std::chrono::microseconds{12'000};
  outcome.usage.peak_memory_bytes = 2048;
  return outcome;
}

TEST(Judge0Verdict, ComparesAsJudge0Does) {
  EXPECT_TRUE(same_answer("a\nb", "a  \nb\n\n"));
  EXPECT_TRUE(same_answer("", " \n\t\n"));
  EXPECT_TRUE(same_answer("a\r\nb\r\n", "a\nb"));
  EXPECT_FALSE(same_answer("a\nb", "a\n\nb"));
  EXPECT_FALSE(same_answer("a b", "a  b"));
  EXPECT_FALSE(same_answer("a", " a"));
  EXPECT_FALSE(same_answer("A", "a"));
}

TEST(Judge0Verdict, IsAcceptedWhereNothingElseIsExpected) {
  model::Outcome outcome = ended(model::Status::kCompleted, 0);
  outcome.stdout_stream.data = "42\n";
  Kept kept;
  const Verdict plain = verdict_of(outcome, kept);
  EXPECT_EQ(plain.status, kAccepted);
  EXPECT_EQ(plain.stdout_data, "42\n");
  EXPECT_FALSE(plain.stderr_data.has_value());
  EXPECT_EQ(plain.time, "0.012");
  EXPECT_EQ(plain.wall_time, "0.046");
  EXPECT_EQ(plain.memory, 2U);
  EXPECT_EQ(plain.exit_code, 0);
  kept.expected_output = "42";
  EXPECT_EQ(verdict_of(outcome, kept).status, kAccepted);
  kept.expected_output = "43";
  EXPECT_EQ(verdict_of(outcome, kept).status, kWrongAnswer);
  kept.expected_output = "";
  outcome.stdout_stream.data = "";
  EXPECT_EQ(verdict_of(outcome, kept).status, kAccepted);
}

TEST(Judge0Verdict, ACompilationErrorIsNothingElse) {
  model::Outcome outcome = ended(model::Status::kFailed, 1);
  outcome.cause.code = "compile";
  model::CompileReport& step = outcome.compile.emplace();
  step.status = model::Status::kFailed;
  step.stdout_stream.data = "said ";
  step.stderr_stream.data = "no such name";
  const Verdict failed = verdict_of(outcome, {});
  EXPECT_EQ(failed.status, kCompilationError);
  EXPECT_EQ(failed.compile_output, "said no such name");
  EXPECT_FALSE(failed.message || failed.time || failed.memory || failed.exit_code || failed.stdout_data);
  outcome.status = model::Status::kTimeout;
  EXPECT_EQ(verdict_of(outcome, {}).compile_output, "Compilation time limit exceeded.");
  step.status = model::Status::kCompleted;
  model::Outcome ran = ended(model::Status::kCompleted, 0);
  ran.compile = step;
  EXPECT_EQ(verdict_of(ran, {}).status, kAccepted);
  EXPECT_EQ(verdict_of(ran, {}).compile_output, "said no such name");
}

TEST(Judge0Verdict, HasAnIdForEachEnding) {
  const Kept kept;
  const auto status = [&kept](model::Status how, int code) { return verdict_of(ended(how, code), kept).status; };
  using enum model::Status;
  EXPECT_EQ(status(kFailed, 1), kNonZeroExit);
  EXPECT_EQ(status(kTimeout, 137), kTimeLimit);
  EXPECT_EQ(status(kCpuExceeded, 152), kTimeLimit);
  EXPECT_EQ(status(kSignaled, 128 + 11), kSegmentationFault);
  EXPECT_EQ(status(kSignaled, 128 + 25), kFileSize);
  EXPECT_EQ(status(kSignaled, 128 + 8), kArithmetic);
  EXPECT_EQ(status(kSignaled, 128 + 6), kAbort);
  EXPECT_EQ(status(kSignaled, 128 + 15), kOtherSignal);
  EXPECT_EQ(status(kMemoryExceeded, 137), kOtherSignal);
  EXPECT_EQ(status(kSecurityViolation, 159), kOtherSignal);
  EXPECT_EQ(status(model::Status::kInternalError, 0), judge0::kInternalError);
  EXPECT_EQ(verdict_of(ended(kMemoryExceeded, 137), kept).message, "Caught fatal signal 9: the evidence");
  EXPECT_EQ(verdict_of(ended(kSignaled, 139), kept).exit_signal, 11);
}

TEST(Judge0State, IsWhatTheQueueSays) {
  Kept kept;
  kept.language_id = 71;
  model::Job job;
  job.output_encoding = model::OutputEncoding::kBase64;
  job.annotation = kept_json(kept);
  const std::string entry = wire::queue_entry(wire::queued_body(job, ""), "a", std::chrono::system_clock::now());
  EXPECT_EQ(state_of({"a", "queued", 0, false, "", "", entry})->verdict.status, kInQueue);
  EXPECT_EQ(state_of({"a", "queued", 0, false, "", "", ""})->verdict.status, kInQueue);
  EXPECT_EQ(state_of({"a", "running", 1, false, "", "", entry})->verdict.status, kProcessing);
  const std::string result = wire::job_result_json(ended(model::Status::kFailed, 1), job, "n");
  const auto finished = state_of({"a", "finished", 1, false, "", result, ""});
  ASSERT_TRUE(finished.has_value());
  EXPECT_EQ(finished->verdict.status, kNonZeroExit);
  EXPECT_EQ(finished->kept.language_id, 71);
  const auto dead = state_of(
      {"a", "dead", 1, false, "", wire::rejection_json({"a", "t", job.annotation}, {"c", "no image", ""}), ""});
  ASSERT_TRUE(dead.has_value());
  EXPECT_EQ(dead->verdict.status, kInternalError);
  EXPECT_EQ(dead->verdict.message, "no image");
}

TEST(Judge0State, AJobOfAnotherApiIsNone) {
  model::Job job;
  const std::string result = wire::job_result_json(ended(model::Status::kCompleted, 0), job, "n");
  EXPECT_FALSE(state_of({"a", "finished", 1, false, "", result, ""}).has_value());
  EXPECT_FALSE(callback_body("a", result).has_value());
  job.annotation = R"({"api":"other"})";
  EXPECT_FALSE(state_of({"a", "finished", 1, false, "",
                         wire::job_result_json(ended(model::Status::kCompleted, 0), job, "n"), ""})
                   .has_value());
}

}  // namespace
}  // namespace outrigger::judge0
