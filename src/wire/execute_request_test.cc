#include "wire/execute_request.h"

#include <gtest/gtest.h>

#include "model/limit_fields.h"

namespace outrigger::wire {
namespace {

using std::chrono::milliseconds;

std::string request(const std::string& more) {
  return R"({"tenant_id":"t","language":"python","code":"x")" + (more.empty() ? "" : "," + more) + "}";
}

std::expected<model::Job, RequestError> parse(const std::string& body) { return parse_execute_request(body, {}); }

void expect_refused(const std::string& body, const std::string& field, const std::string& says,
                    base::Code code = base::Code::kInvalid) {
  const auto job = parse(body);
  ASSERT_FALSE(job.has_value()) << body;
  EXPECT_EQ(job.error().field, field) << body << ": " << job.error().message;
  EXPECT_EQ(job.error().code, code) << body;
  EXPECT_NE(job.error().message.find(says), std::string::npos) << body << ": " << job.error().message;
}

TEST(ExecuteRequest, ReadsTheContractsExample) {
  const auto job = parse(R"json({"tenant_id": "acme", "language": "python", "code": "print(input())", "stdin": "hi\n",
    "args": ["a"], "env": {"MODE": "x"}, "files": [{"path": "data/in.csv", "content": "1,2\n"}],
    "limits": {"wall_time_ms": 2000}, "collect": [], "output_encoding": "utf8"})json");
  ASSERT_TRUE(job.has_value()) << job.error().message;
  EXPECT_EQ(job->tenant_id, "acme");
  EXPECT_EQ(job->stdin_data, "hi\n");
  EXPECT_EQ(job->args, std::vector<std::string>{"a"});
  EXPECT_EQ(job->env.at(0), (std::pair<std::string, std::string>{"MODE", "x"}));
  EXPECT_EQ(job->files.at(0).path, "data/in.csv");
  EXPECT_EQ(job->files.at(0).content, "1,2\n");
  model::Limits expected;
  expected.wall_time = milliseconds{2000};
  EXPECT_EQ(job->limits, expected);
}

TEST(ExecuteRequest, NeedsTenantLanguageAndCode) {
  expect_refused("{}", "tenant_id", "is required");
  expect_refused(R"({"tenant_id":"t"})", "language", "is required");
  expect_refused(R"({"tenant_id":"t","language":"python"})", "code", "is required");
  expect_refused(R"({"tenant_id":"t","language":"python","code":""})", "code", "must not be empty");
  expect_refused(R"({"tenant_id":"t","language":"","code":"x"})", "language", "must not be empty");
  expect_refused(R"({"tenant_id":null,"language":"python","code":"x"})", "tenant_id", "not null");
  expect_refused(R"({"tenant_id":"t","language":["python"],"code":"x"})", "language", "must be a string");
  expect_refused(R"({"tenant_id":"t","language":"python","code":5})", "code", "must be a string");
}

TEST(ExecuteRequest, TakesOnlyTheContractsTenants) {
  const std::string too_long(65, 'a');
  for (const std::string& tenant : {std::string(), std::string("a b"), std::string("a/b"), std::string("\\u0000"),
                                    std::string("\xc3\xa9"), too_long}) {
    expect_refused("{\"tenant_id\":\"" + tenant + R"(","language":"python","code":"x"})", "tenant_id", "1 to 64");
  }
}

TEST(ExecuteRequest, RefusesUnknownFieldsAndNamesTheKnown) {
  expect_refused(request(R"("limit":{"pids":1})"), "limit", "known here: tenant_id, language, code");
  expect_refused(request(R"("limits":{"pid":1})"), "limits.pid", "wall_time_ms");
  expect_refused(request(R"("files":[{"path":"a","content":"","owner":1}])"), "files[0].owner",
                 "path, content, encoding, mode");
}

TEST(ExecuteRequest, RefusesWhatIsNoObject) {
  for (const char* body : {"[]", "5", "\"x\"", "null", "true"}) expect_refused(body, "", "must be a JSON object");
}

TEST(ExecuteRequest, RefusesWrongTypes) {
  for (const char* value : {"5", "true", "[]", "{}"}) {
    expect_refused(request(std::string("\"stdin\":") + value), "stdin", "must be a string");
    expect_refused(request(std::string("\"output_encoding\":") + value), "output_encoding", "must be");
  }
  expect_refused(request(R"("args":"a")"), "args", "must be an array");
  expect_refused(request(R"("env":[])"), "env", "must be an object");
  expect_refused(request(R"("files":{})"), "files", "must be an array");
  expect_refused(request(R"("limits":[])"), "limits", "must be an object");
  expect_refused(request(R"("collect":"x")"), "collect", "must be an array");
  expect_refused(request(R"("output_encoding":"utf-8")"), "output_encoding", "\"utf8\" or \"base64\"");
}

TEST(ExecuteRequest, NullIsTheDefault) {
  const auto job = parse(request(
      R"("stdin":null,"args":null,"env":null,"files":null,"limits":null,"collect":null,"output_encoding":null)"));
  ASSERT_TRUE(job.has_value()) << job.error().message;
  EXPECT_EQ(job->limits, model::Limits{});
  EXPECT_EQ(job->stdin_data, "");
}

TEST(ExecuteRequest, CollectNamesFilesOfTheWorkingDirectoryOnly) {
  const auto job = parse(request(R"("collect":["out/*.csv","**/[a-c]?"])"));
  ASSERT_TRUE(job.has_value()) << job.error().message;
  EXPECT_EQ(job->collect, (std::vector<std::string>{"out/*.csv", "**/[a-c]?"}));
  for (const char* bad : {"/etc/passwd", "../x", "a/../../b", ".", "", "a/", "a//b", "[a"}) {
    expect_refused(request("\"collect\":[\"ok\",\"" + std::string(bad) + "\"]"), "collect[1]", "must ");
  }
  expect_refused(request(R"("collect":["a\u0000"])"), "collect[0]", "NUL");
  expect_refused(request(R"("collect":["a",5])"), "collect[1]", "must be a string");
  expect_refused(request("\"collect\":[\"" + std::string(1001, 'x') + "\"]"), "collect[0]", "1000 bytes");
}

TEST(ExecuteRequest, CollectHasSoManyPatterns) {
  std::string patterns = "\"a\"";
  for (int i = 1; i < 32; ++i) patterns += ",\"a\"";
  EXPECT_TRUE(parse(request("\"collect\":[" + patterns + "]")).has_value());
  expect_refused(request("\"collect\":[" + patterns + ",\"a\"]"), "collect", "more than 32");
}

TEST(ExecuteRequest, CapsCodeAndStdin) {
  const std::size_t mib = 1U << 20;
  const std::string head = R"({"tenant_id":"t","language":"python","code":")";
  EXPECT_TRUE(parse(head + std::string(mib, 'x') + "\"}").has_value());
  expect_refused(head + std::string(mib + 1, 'x') + "\"}", "code", "1048576 bytes", base::Code::kTooLarge);
  EXPECT_TRUE(parse(request("\"stdin\":\"" + std::string(4 * mib, 'x') + "\"")).has_value());
  expect_refused(request("\"stdin\":\"" + std::string(4 * mib + 1, 'x') + "\""), "stdin", "4194304",
                 base::Code::kTooLarge);
}

TEST(ExecuteRequest, WhatMustLieInTheScratchSpaceMustFitThere) {
  const std::string file = R"({"path":"f","content":")" + std::string(100'000, 'x') + "\"}";
  expect_refused(request(R"("limits":{"tmpfs_bytes":65536},"files":[)" + file + "]"), "files",
                 "limits.tmpfs_bytes (65536)", base::Code::kTooLarge);
}

TEST(ExecuteRequest, WhatToJsonWritesReadsBackTheSame) {
  model::Job job;
  job.tenant_id = "t";
  job.language = "node";
  job.code = "a\n\"\\\x01\xc3\xa9";
  job.stdin_data = std::string("x\0y", 3);
  job.args = {"", "b c"};
  job.env = {{"A", "1"}, {"B_2", ""}};
  job.files.push_back({"bin", "\xff\xfe", 0644});
  job.files.push_back({"dir/text", "plain", 0644});
  job.limits.pids = 7;
  job.limits.cpu_cores = 0.25;
  job.output_encoding = model::OutputEncoding::kBase64;
  const auto back = parse(to_json(job));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->code, job.code);
  EXPECT_EQ(back->stdin_data, job.stdin_data);
  EXPECT_EQ(back->args, job.args);
  EXPECT_EQ(back->env, job.env);
  ASSERT_EQ(back->files.size(), 2U);
  EXPECT_EQ(back->files[0].content, "\xff\xfe");
  EXPECT_EQ(back->files[1].path, "dir/text");
  EXPECT_EQ(back->limits, job.limits);
  EXPECT_EQ(back->output_encoding, job.output_encoding);
}

TEST(ExecuteRequest, ToJsonLeavesTheDaemonItsOwnDefaults) {
  model::Job job{"t", "bash", "x", {}, {}, {}, {}, {}, {}};
  EXPECT_EQ(to_json(job), R"({"tenant_id":"t","language":"bash","code":"x","output_encoding":"utf8"})");
}

}  // namespace
}  // namespace outrigger::wire
