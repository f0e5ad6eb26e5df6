#include "mcp/tool_result.h"

#include <gtest/gtest.h>

#include "wire/run_record.h"

namespace outrigger::mcp {
namespace {

model::Outcome ended(model::Status status, const char* code, const char* text) {
  model::Outcome outcome;
  outcome.job_id = "j1";
  outcome.language = "python";
  outcome.status = status;
  outcome.exit_code = 137;
  outcome.signal = "SIGKILL";
  outcome.cause = {code, text};
  return outcome;
}

TEST(McpToolResult, EveryEndingHasWords) {
  EXPECT_EQ(ending_in_words(ended(model::Status::kTimeout, "wall_clock", "wall clock of 5000 ms passed")),
            "The program was ended: it took too long: wall clock of 5000 ms passed.");
  EXPECT_EQ(ending_in_words(ended(model::Status::kFailed, "compile", "g++ exited with status 1")),
            "The program did not compile, and was not run: g++ exited with status 1.");
  for (std::size_t i = 0; i < model::kRecordedStatusCount; ++i) {
    const std::string words = ending_in_words(ended(static_cast<model::Status>(i), "c", "why"));
    EXPECT_TRUE(words.ends_with(": why.")) << words;
    EXPECT_GT(words.size(), 20U) << words;
  }
}

TEST(McpToolResult, AProgramThatFailedIsAnErrorWithItsOutput) {
  model::Outcome outcome = ended(model::Status::kMemoryExceeded, "memory_ceiling", "128 MiB");
  outcome.stderr_stream = {"oops", 4, false};
  const std::string result = run_result(outcome);
  EXPECT_NE(result.find(R"("isError":true)"), std::string::npos);
  EXPECT_NE(result.find(R"(128 MiB.\n\nstderr:\noops")"), std::string::npos) << result;
  EXPECT_NE(result.find(R"("status":"memory_exceeded","exit_code":137,"signal":"SIGKILL")"), std::string::npos);
}

TEST(McpToolResult, WhatTheCompilerSaidIsTold) {
  model::Outcome outcome = ended(model::Status::kFailed, "compile", "compiling: exited with status 1");
  model::CompileReport& step = outcome.compile.emplace();
  step.status = model::Status::kFailed;
  step.cause = {"exited", "exited with status 1"};
  step.stderr_stream = {"no such name", 12, false};
  const std::string result = run_result(outcome);
  EXPECT_NE(result.find(R"(not run: exited with status 1.\n\nThe compiler's stderr:\nno such name")"),
            std::string::npos)
      << result;
  EXPECT_NE(result.find(R"("isError":true)"), std::string::npos);
}

TEST(McpToolResult, LongOutputIsCutBetweenCharactersAndThatIsTold) {
  model::Outcome outcome = ended(model::Status::kCompleted, "exited", "exited with status 0");
  outcome.stdout_stream.data = "x";
  while (outcome.stdout_stream.data.size() <= kMaxOutput) outcome.stdout_stream.data += "\xc3\xa9";
  outcome.stdout_stream.bytes = outcome.stdout_stream.data.size();
  const std::string result = run_result(outcome);
  EXPECT_NE(result.find("stdout (cut: the first 65535 of 65537 bytes)"), std::string::npos) << result.substr(0, 300);
  EXPECT_NE(result.find(R"("stdout_truncated":true,"stderr_truncated":false)"), std::string::npos);
  EXPECT_EQ(result.find("\xef\xbf\xbd"), std::string::npos);
}

TEST(McpToolResult, SilenceIsTold) {
  EXPECT_NE(run_result(ended(model::Status::kCompleted, "exited", "exited with status 0")).find("It wrote nothing."),
            std::string::npos);
}

TEST(McpToolResult, LanguagesAreAListForPeopleAndForPrograms) {
  const auto result = languages_result(
      R"({"languages":[{"name":"python","aliases":["py"],"version":"3.11.2-1","image":"standard","available":true},)"
      R"({"name":"go","aliases":[],"version":null,"image":"go","available":false}]})");
  ASSERT_TRUE(result.has_value());
  const std::string expected =
      R"({"content":[{"type":"text","text":"Languages that run_code takes:\npython 3.11.2-1, also called py\ngo )"
      R"j((not installed)"}],"structuredContent":{"languages":[{"name":"python","version":"3.11.2-1",)j"
      R"("available":true,"aliases":["py"]},{"name":"go","version":null,"available":false,"aliases":[]}]},)"
      R"("isError":false})";
  EXPECT_EQ(*result, expected);
  EXPECT_FALSE(languages_result(R"({"languages":[{}]})").has_value());
}

TEST(McpToolResult, ARunOfTheTrailIsToldWithoutItsOutput) {
  model::RunRecord record;
  record.outcome = ended(model::Status::kTimeout, "wall_clock", "5 s");
  record.outcome.stdout_stream.bytes = 17;
  const std::string result = record_result(record, R"({"job_id":"j1"})");
  EXPECT_NE(result.find("wrote 17 bytes to stdout"), std::string::npos);
  EXPECT_NE(result.find(R"("structuredContent":{"job_id":"j1"},"isError":false)"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::mcp
