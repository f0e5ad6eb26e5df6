#include "wire/request_sections.h"

#include <gtest/gtest.h>

#include "wire/execute_request.h"

namespace outrigger::wire {
namespace {

std::expected<model::Job, RequestError> with(const std::string& members) {
  return parse_execute_request(R"({"tenant_id":"t","language":"python","code":"x",)" + members + "}", {});
}

void expect_refused(const std::string& members, const std::string& field, const std::string& says) {
  const auto job = with(members);
  ASSERT_FALSE(job.has_value()) << members;
  EXPECT_EQ(job.error().field, field) << job.error().message;
  EXPECT_NE(job.error().message.find(says), std::string::npos) << job.error().message;
}

std::string file(const std::string& path) { return R"({"path":")" + path + R"(","content":"c"})"; }

TEST(ArgsAndEnv, OneStringStaysBelowTheKernelsLimit) {
  const std::string largest(131'071, 'x');
  EXPECT_TRUE(with("\"args\":[\"" + largest + "\"]").has_value());
  expect_refused("\"args\":[\"a\",\"" + largest + "x\"]", "args[1]", "E2BIG");
  expect_refused("\"env\":{\"N\":\"" + largest + "\"}", "env.N", "E2BIG");
}

TEST(ArgsAndEnv, TogetherTheyAreBounded) {
  std::string args;
  for (int i = 0; i < 11; ++i) args += (i > 0 ? ",\"" : "\"") + std::string(100'000, 'x') + "\"";
  expect_refused("\"args\":[" + args + "]", "args[10]", "together above 1048576");
}

TEST(ArgsAndEnv, ManyTinyStringsAreBoundedToo) {
  std::string args = "\"\"";
  for (int i = 1; i < 4000; ++i) args += ",\"\"";
  EXPECT_TRUE(with("\"args\":[" + args + "]").has_value());
  expect_refused("\"args\":[" + args + ",\"\"]", "args[4000]", "above 4000 strings");
  expect_refused("\"args\":[" + args + R"(],"env":{"A":""})", "env.A", "above 4000 strings");
}

TEST(ArgsAndEnv, HoldNoNulAndOnlyStrings) {
  expect_refused(R"("args":["a\u0000b"])", "args[0]", "NUL");
  expect_refused(R"("env":{"A":"\u0000"})", "env.A", "NUL");
  expect_refused(R"("args":["a",5])", "args[1]", "must be a string");
  expect_refused(R"("args":[null])", "args[0]", "must be a string");
  expect_refused(R"("env":{"A":null})", "env.A", "must be a string");
}

TEST(ArgsAndEnv, NamesAreThoseOfAShell) {
  for (const char* name : {"", "1A", "A-B", "A B", "A=B", "\xc3\xa9", "A\\u0000"}) {
    const auto job = with(std::string("\"env\":{\"") + name + "\":\"x\"}");
    ASSERT_FALSE(job.has_value()) << name;
    EXPECT_EQ(job.error().field.substr(0, 4), "env.");
  }
  EXPECT_TRUE(with(R"("env":{"_a9":"","PATH":"/x"})").has_value());
}

TEST(InputFiles, PathsStayBelowTheWorkingDirectory) {
  for (const char* path :
       {"", "/etc/passwd", "..", "../x", "a/../b", "a/..", ".", "./a", "a/./b", "a//b", "a/", "/", "a\\u0000b"}) {
    const auto job = with("\"files\":[" + file(path) + "]");
    ASSERT_FALSE(job.has_value()) << path;
    EXPECT_EQ(job.error().field, "files[0].path") << path;
  }
  for (const char* path : {"a", "..a", "a..", ".hidden", "a/b/c", "a b", "\xc3\xa9", "...", "-rf"}) {
    EXPECT_TRUE(with("\"files\":[" + file(path) + "]").has_value()) << path;
  }
  EXPECT_FALSE(with("\"files\":[" + file(std::string(256, 'n')) + "]").has_value());
  std::string deep = "a";
  while (deep.size() < 1000) deep += "/a";
  expect_refused("\"files\":[" + file(deep) + "]", "files[0].path", "longer than 1000 bytes");
}

TEST(InputFiles, DontContradictEachOther) {
  expect_refused("\"files\":[" + file("a") + "," + file("a") + "]", "files[1].path", "twice");
  expect_refused("\"files\":[" + file("a") + "," + file("a/b") + "]", "files[1].path", "below a path that is a file");
  expect_refused("\"files\":[" + file("a/b/c") + "," + file("a/b") + "]", "files[1].path", "is a directory");
}

TEST(InputFiles, AreNotMoreThanTheScratchSpaceHasInodesFor) {
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += "/a";
  std::string files;
  for (int i = 0; i < 30; ++i) files += (i > 0 ? "," : "") + file(std::to_string(i) + "/" + deep);
  const auto job = with("\"files\":[" + files + "]");
  ASSERT_FALSE(job.has_value());
  EXPECT_EQ(job.error().code, base::Code::kTooLarge);
  EXPECT_EQ(job.error().field, "files");
}

TEST(InputFiles, DecodeBase64Exactly) {
  const auto job = with(R"("files":[{"path":"a","content":"AP/+","encoding":"base64"}])");
  ASSERT_TRUE(job.has_value()) << job.error().message;
  EXPECT_EQ(job->files.at(0).content, std::string("\x00\xff\xfe", 3));
  expect_refused(R"("files":[{"path":"a","content":"AP/","encoding":"base64"}])", "files[0].content", "base64");
  expect_refused(R"("files":[{"path":"a","content":"","encoding":"latin1"}])", "files[0].encoding", "utf8");
  expect_refused(R"("files":[{"path":"a"}])", "files[0].content", "required");
  expect_refused(R"("files":["a"])", "files[0]", "must be an object");
}

TEST(Files, HaveTheModeThatIsAskedFor) {
  const auto job = with(R"("files":[{"path":"a","content":""},{"path":"b","content":"","mode":"0755"},)"
                        R"({"path":"c","content":"","mode":"600"},{"path":"d","content":"","mode":null}])");
  ASSERT_TRUE(job.has_value()) << job.error().message;
  EXPECT_EQ(job->files[0].mode, 0644U);
  EXPECT_EQ(job->files[1].mode, 0755U);
  EXPECT_EQ(job->files[2].mode, 0600U);
  EXPECT_EQ(job->files[3].mode, 0644U);
  for (const char* bad : {"\"\"", "\"4755\"", "\"0o755\"", "\"-1\"", "\"8\"", "\"+7\"", "\" 7\"", "\"00755\"",
                          "\"rwx\"", "\"1000\"", "493"}) {
    expect_refused(R"("files":[{"path":"a","content":"","mode":)" + std::string(bad) + "}]", "files[0].mode",
                   "must be");
  }
}

TEST(Files, KeepTheirModeOnTheWayToADaemon) {
  const auto job = with(R"("collect":["a*"],"files":[{"path":"b","content":"","mode":"0755"}])");
  ASSERT_TRUE(job.has_value()) << job.error().message;
  const auto again = parse_execute_request(to_json(*job), {});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->files[0].mode, 0755U);
  EXPECT_EQ(again->collect, std::vector<std::string>{"a*"});
}

}  // namespace
}  // namespace outrigger::wire
