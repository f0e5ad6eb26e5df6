#include "judge0/submission.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "base/base64.h"
#include "judge0/kept.h"
#include "judge0/test_archive.h"
#include "judge0/test_runtimes.h"

namespace outrigger::judge0 {
namespace {

using std::chrono::milliseconds;

std::expected<Submission, Errors> read(const std::string& body, bool base64_encoded = false,
                                       const wire::RequestRules& rules = {}) {
  static const auto runtimes = test_runtimes();
  const std::chrono::system_clock::time_point at{std::chrono::seconds{1738315800}};
  return read_submission(boost::json::parse(body).as_object(), {"acme", base64_encoded, at}, runtimes, rules);
}

std::string with(const std::string& more) { return R"({"source_code":"x","language_id":71,)" + more + "}"; }

void expect_refused(const std::string& body, const std::string& errors) {
  const auto submission = read(body);
  ASSERT_FALSE(submission.has_value()) << body;
  EXPECT_EQ(submission.error().json(), errors) << body;
}

TEST(Judge0Submission, BecomesAJobWithWhatJudge0Keeps) {
  const auto submission =
      read(R"j({"source_code":"print(input())","language_id":"71","stdin":"hi","expected_output":"hi",)j"
           R"("cpu_time_limit":1.5,"wall_time_limit":"3","memory_limit":65536,)"
           R"("max_processes_and_or_threads":8,"command_line_arguments":"a 'b c'",)"
           R"("callback_url":"http://h/x","redirect_stderr_to_stdout":true,"something":"else"})");
  ASSERT_TRUE(submission.has_value()) << submission.error().json();
  const model::Job& job = submission->job;
  EXPECT_EQ(job.tenant_id, "acme");
  EXPECT_EQ(job.language, "python");
  EXPECT_EQ(job.code, "print(input())");
  EXPECT_EQ(job.stdin_data, "hi");
  EXPECT_EQ(job.args, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(job.output_encoding, model::OutputEncoding::kBase64);
  model::Limits limits;
  limits.cpu_time = milliseconds{1500};
  limits.wall_time = milliseconds{3000};
  limits.memory_bytes = 64U << 20;
  limits.pids = 8;
  EXPECT_EQ(job.limits, limits);
  EXPECT_EQ(submission->callback_url, "http://h/x");
  const auto kept = parse_kept(job.annotation);
  ASSERT_TRUE(kept.has_value()) << job.annotation;
  EXPECT_EQ(kept->tenant_id, "acme");
  EXPECT_EQ(kept->language_id, 71);
  EXPECT_EQ(kept->language_name, "Python (3.11.2)");
  EXPECT_EQ(kept->source_code, "print(input())");
  EXPECT_EQ(kept->expected_output, "hi");
  EXPECT_TRUE(kept->redirect_stderr_to_stdout);
  EXPECT_TRUE(job.stderr_to_stdout);
  EXPECT_EQ(kept->settings.at(1), (std::pair<std::string, std::string>{"cpu_time_limit", "1.5"}));
}

TEST(Judge0Submission, TakesBytesAsBase64) {
  const auto submission =
      read(R"({"source_code":"cHJpbnQo\nMSk=\n","language_id":71,"stdin":"/wA=","expected_output":null})", true);
  ASSERT_TRUE(submission.has_value()) << submission.error().json();
  EXPECT_EQ(submission->job.code, "print(1)");
  EXPECT_EQ(submission->job.stdin_data, std::string("\xff\0", 2));
  EXPECT_FALSE(parse_kept(submission->job.annotation)->expected_output.has_value());
}

TEST(Judge0Submission, IsRefusedInJudge0sWords) {
  expect_refused("{}", R"({"source_code":["can't be blank"],"language_id":["can't be blank"]})");
  expect_refused(R"({"source_code":" \n","language_id":71})", R"({"source_code":["can't be blank"]})");
  expect_refused(R"({"source_code":["x"],"language_id":71})", R"({"source_code":["can't be blank"]})");
  expect_refused(R"({"source_code":"x","language_id":150000})",
                 R"({"language_id":["language with id 150000 doesn't exist"]})");
  expect_refused(R"({"source_code":"x","language_id":54})",
                 R"({"language_id":["language with id 54 is not installed here"]})");
  expect_refused(with(R"("wall_time_limit":100000)"), R"({"wall_time_limit":["must be less than or equal to 5.0"]})");
  expect_refused(with(R"("wall_time_limit":0.5)"), R"({"wall_time_limit":["must be greater than or equal to 1.0"]})");
  expect_refused(with(R"("memory_limit":2047)"), R"({"memory_limit":["must be greater than or equal to 2048"]})");
  expect_refused(with(R"("memory_limit":131073)"), R"({"memory_limit":["must be less than or equal to 131072"]})");
  expect_refused(with(R"("number_of_runs":0)"), R"({"number_of_runs":["must be greater than 0"]})");
  expect_refused(with(R"("max_processes_and_or_threads":0)"),
                 R"({"max_processes_and_or_threads":["must be greater than 0"]})");
  expect_refused(with(R"("cpu_time_limit":"fast","stack_limit":-1)"),
                 R"({"cpu_time_limit":["is not a number"],"stack_limit":["must be greater than or equal to 0"]})");
  expect_refused(with(R"("cpu_time_limit":true)"), R"({"cpu_time_limit":["is not a number"]})");
  expect_refused(with(R"("enable_network":true)"), R"({"enable_network":["enabling network is not allowed"]})");
  expect_refused(with(R"("enable_per_process_and_thread_time_limit":"1")"),
                 R"({"enable_per_process_and_thread_time_limit":["this option cannot be enabled"]})");
  expect_refused(with(R"("compiler_options":"-O2")"),
                 R"({"compiler_options":["setting compiler options is not allowed"]})");
  expect_refused(with(R"("command_line_arguments":")" + std::string(513, 'a') + "\""),
                 R"j({"command_line_arguments":["is too long (maximum is 512 characters)"]})j");
  expect_refused(with(R"("additional_files":"bm8=")"), R"({"additional_files":["is not a zip archive"]})");
}

TEST(Judge0Submission, OurOwnRulesAreToldOfItsAttributes) {
  wire::RequestRules rules;
  rules.max_code = 3;
  const auto refused = read(R"({"source_code":"////////","language_id":71})", true, rules);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().json(), R"({"source_code":["code must not be larger than 3 bytes; it has 6"]})");
}

TEST(Judge0Submission, NothingZeroAndFalseAreTheDefaults) {
  wire::RequestRules rules;
  rules.defaults.cpu_time = milliseconds{1000};
  const auto plain =
      read(with(R"("cpu_time_limit":null,"enable_network":false,"compiler_options":"","stdin":null)"), false, rules);
  ASSERT_TRUE(plain.has_value()) << plain.error().json();
  EXPECT_EQ(plain->job.limits, rules.defaults);
  const auto zero = read(with(R"("cpu_time_limit":0)"), false, rules);
  ASSERT_TRUE(zero.has_value()) << zero.error().json();
  EXPECT_EQ(zero->job.limits.cpu_time, rules.ceilings.cpu_time) << "isolate's zero is no limit";
}

TEST(Judge0Submission, UnpacksItsFiles) {
  const auto submission = read(with(R"("additional_files":")" + std::string(kGoodZip) + "\""));
  ASSERT_TRUE(submission.has_value()) << submission.error().json();
  ASSERT_EQ(submission->job.files.size(), 2U);
  EXPECT_EQ(submission->job.files[0].path, "lib/util.py");
  EXPECT_EQ(submission->job.files[1].mode, 0755U);
  EXPECT_EQ(parse_kept(submission->job.annotation)->additional_files, *base::base64_decode(kGoodZip));
}

}  // namespace
}  // namespace outrigger::judge0
