#include "cli/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/execute_request.h"

namespace outrigger::cli {
namespace {

const model::LimitField& field(std::string_view name) {
  for (const model::LimitField& each : model::kLimitFields) {
    if (each.name == name) return each;
  }
  ADD_FAILURE() << name;
  return model::kLimitFields.front();
}

model::Job parsed(const RunOptions& options, const Program& program) {
  const auto job = wire::parse_execute_request(request_body(options, program, model::OutputEncoding::kBase64), {});
  if (job) return *job;
  ADD_FAILURE() << job.error().field << ": " << job.error().message;
  return {};
}

TEST(RequestBody, IsWhatTheServersParserReads) {
  RunOptions options;
  options.args = {"a", "--b", "zwei é"};
  options.env = {{"MODE", "x=y"}};
  options.collect = {"out/*.csv", "b"};
  const Program program{
      "python", "print(1)\n\"\x01", "in\n", {{"d/a.txt", "text", 0644}, {"b.bin", "\xff\x00x", 0755}}};
  const model::Job job = parsed(options, program);
  EXPECT_EQ(job.tenant_id, "cli");
  EXPECT_EQ(job.language, "python");
  EXPECT_EQ(job.code, program.code);
  EXPECT_EQ(job.stdin_data, "in\n");
  EXPECT_EQ(job.args, options.args);
  EXPECT_EQ(job.env, options.env);
  EXPECT_EQ(job.output_encoding, model::OutputEncoding::kBase64);
  ASSERT_EQ(job.files.size(), 2U);
  EXPECT_EQ(job.files[0].content, "text");
  EXPECT_EQ(job.files[1].content, program.files[1].content);
  EXPECT_EQ(job.files[1].mode, 0755U);
  EXPECT_EQ(job.collect, options.collect);
}

TEST(RequestBody, NamesOnlyLimitsThatWereAskedFor) {
  RunOptions options;
  // The default's own value, asked for: must not be left to a server with other defaults.
  options.limits = {{&field("wall_time_ms"), 5000}, {&field("cpu_cores"), 0.25}};
  const std::string body = request_body(options, {"bash", "true", {}, {}}, model::OutputEncoding::kUtf8);
  EXPECT_THAT(body, testing::HasSubstr("\"wall_time_ms\":5000"));
  EXPECT_THAT(body, testing::HasSubstr("\"cpu_cores\":0.25"));
  EXPECT_THAT(body, testing::Not(testing::HasSubstr("pids")));
  const model::Job job = parsed(options, {"bash", "true", {}, {}});
  EXPECT_EQ(job.limits.cpu_cores, 0.25);
  EXPECT_EQ(job.limits.pids, model::Limits{}.pids);
}

}  // namespace
}  // namespace outrigger::cli
