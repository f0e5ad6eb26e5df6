#include "piston/request.h"

#include <gtest/gtest.h>

#include "piston/file_name.h"

namespace outrigger::piston {
namespace {

using std::chrono::milliseconds;

std::vector<model::InstalledRuntime> runtimes() {
  model::InstalledRuntime python;
  python.runtime.name = "python";
  python.runtime.aliases = {"py", "python3"};
  python.runtime.source_file = "main.py";
  python.image_path = "/images/standard";
  python.version = "3.11.2-1+b1";
  model::InstalledRuntime node;
  node.runtime.name = "node";
  node.runtime.aliases = {"js", "javascript", "nodejs"};
  node.runtime.source_file = "main.js";
  node.image_path = "/images/standard";
  node.version = "18.20.4+dfsg-1~deb12u1";
  model::InstalledRuntime cpp;
  cpp.runtime.name = "cpp";
  cpp.runtime.source_file = "main.cpp";
  cpp.version = "";
  return {python, node, cpp};
}

std::expected<Request, Refusal> parse(const std::string& body) {
  static const auto known = runtimes();
  return parse_request(body, "acme", known, {});
}

std::string with(const std::string& more) {
  return R"j({"language":"python","version":"3.x","files":[{"content":"print(1)"}])j" +
         (more.empty() ? "" : "," + more) + "}";
}

std::string files(const std::string& list) { return R"({"language":"py","version":"*","files":[)" + list + "]}"; }

void expect_refused(const std::string& body, const std::string& message, int status = 400) {
  const auto request = parse(body);
  ASSERT_FALSE(request.has_value()) << body;
  EXPECT_EQ(request.error().message, message) << body;
  EXPECT_EQ(request.error().status, status) << body;
}

TEST(PistonRequest, ReadsThatOfItsOwnDocumentation) {
  const auto request = parse(R"json({"language": "js", "version": "18.x", "files": [{"name": "my_cool_code.js",
    "content": "console.log(process.argv)"}], "stdin": "", "args": ["1", "2", "3"], "compile_timeout": 10000,
    "run_timeout": 3000, "compile_memory_limit": -1, "run_memory_limit": -1})json");
  ASSERT_TRUE(request.has_value()) << request.error().message;
  EXPECT_EQ(request->runtime.language, "javascript");
  EXPECT_EQ(version_text(request->runtime.version), "18.20.4");
  const model::Job& job = request->job;
  EXPECT_EQ(job.tenant_id, "acme");
  EXPECT_EQ(job.language, "node");
  EXPECT_EQ(job.code, "console.log(process.argv)");
  EXPECT_EQ(job.args, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(job.stdin_data, "\n");  // Piston ends stdin with a line break
  model::Limits expected;
  expected.wall_time = milliseconds{3000};
  EXPECT_EQ(job.limits, expected);
}

TEST(PistonRequest, IsRefusedInPistonsWords) {
  expect_refused(R"({"version":"*","files":[]})", "language is required as a string");
  expect_refused(R"({"language":5,"version":"*","files":[]})", "language is required as a string");
  expect_refused(R"({"language":"python","files":[]})", "version is required as a string");
  expect_refused(R"({"language":"python","version":"","files":[]})", "version is required as a string");
  expect_refused(R"({"language":"python","version":"*"})", "files is required as an array");
  expect_refused(R"({"language":"python","version":"*","files":{}})", "files is required as an array");
  expect_refused(files(R"({"content":"x"},{"name":"a"})"), "files[1].content is required as a string");
  expect_refused(files("null"), "files[0].content is required as a string");
  expect_refused(R"({"language":"cobol","version":"1","files":[]})", "cobol-1 runtime is unknown");
  expect_refused(R"({"language":"python","version":"^2","files":[]})", "python-^2 runtime is unknown");
  expect_refused(files(""), "files must include at least one utf8 encoded file");
  expect_refused(files(R"({"content":"eA==","encoding":"base64"})"),
                 "files must include at least one utf8 encoded file");
  expect_refused(with(R"("run_timeout":"3000")"), "If specified, run_timeout must be a number");
  expect_refused(with(R"("run_timeout":5001)"), "run_timeout cannot exceed the configured limit of 5000");
  expect_refused(with(R"("run_cpu_time":1e400)"), "run_cpu_time cannot exceed the configured limit of 5000");
  expect_refused(with(R"("run_memory_limit":134217729)"),
                 "run_memory_limit cannot exceed the configured limit of 134217728");
  expect_refused(with(R"("compile_timeout":-1)"), "compile_timeout must be non-negative");
  expect_refused(with(R"("compile_cpu_time":{})"), "If specified, compile_cpu_time must be a number");
}

TEST(PistonRequest, IsRefusedWherePistonWouldFail) {
  expect_refused(with(R"("args":"abc")"), "args must be an array of strings");
  expect_refused(with(R"("args":[1])"), "args must be an array of strings");
  expect_refused(with(R"("args":["a\u0000b"])"), "args[0] must not contain a NUL character");
  expect_refused(with(R"("stdin":5)"), "stdin must be a string");
  expect_refused(files(R"({"name":"../x","content":""})"), "File path \"../x\" tries to escape parent directory: ../x");
  expect_refused(files(R"({"name":"/","content":""})"), "files[0].name must name a file");
  expect_refused(files(R"({"name":7,"content":""})"), "files[0].name must be a string");
  expect_refused(files(R"({"name":"app.py","content":"x"},{"name":"main.py","content":"y"})"),
                 "files[1].name must not be main.py: the file that is run is laid there; name this one otherwise, or "
                 "put it first");
  expect_refused("[]", "the request body must be a JSON object");
  expect_refused(files(R"({"content":")" + std::string((1U << 20) + 1, 'x') + R"("})"),
                 "files[0].content must not be larger than 1048576 bytes; it has 1048577", 413);
}

TEST(PistonRequest, RunsTheFirstTextFileAndLaysTheOthers) {
  const auto request = parse(files(
      R"({"name":"b.bin","content":"_wA","encoding":"base64"},{"name":"./app.py","content":"import helper"},)"
      R"({"name":"lib/../helper.py","content":"x = 1","encoding":"utf-8"},{"name":"h","content":"6869zz","encoding":"hex"})"));
  ASSERT_TRUE(request.has_value()) << request.error().message;
  const model::Job& job = request->job;
  EXPECT_EQ(job.code, "import helper");
  ASSERT_EQ(job.files.size(), 4U);
  EXPECT_EQ(job.files[0].path, "b.bin");
  EXPECT_EQ(job.files[0].content, std::string("\xff\0", 2));
  EXPECT_EQ(job.files[1].path, "helper.py");
  EXPECT_EQ(job.files[2].content, "hi");
  EXPECT_EQ(job.files[3].path, "app.py");  // for who asks for it by the name that it was sent under
  EXPECT_EQ(job.files[3].content, "import helper");
}

TEST(PistonRequest, ALaterFileOfTheSameNameHolds) {
  const auto request =
      parse(files(R"({"name":"main.py","content":"a"},{"name":"x","content":"1"},{"name":"./x","content":"2"},)"
                  R"({"name":"/x","content":"3"})"));
  ASSERT_TRUE(request.has_value()) << request.error().message;
  ASSERT_EQ(request->job.files.size(), 1U);
  EXPECT_EQ(request->job.files[0].content, "3");
}

TEST(PistonRequest, TakesLimitsInPistonsUnits) {
  const auto request =
      parse(with(R"("run_timeout":1500.2,"run_cpu_time":1,"run_memory_limit":16777216,"stdin":"a\n")"));
  ASSERT_TRUE(request.has_value()) << request.error().message;
  EXPECT_EQ(request->job.limits.wall_time, milliseconds{1501});
  EXPECT_EQ(request->job.limits.cpu_time, milliseconds{1});
  EXPECT_EQ(request->job.limits.memory_bytes, 16777216U);
  EXPECT_EQ(request->job.stdin_data, "a\n");
}

TEST(PistonRequest, ZeroNullAndNothingAreTheDefaultAndBelowZeroIsAllThereIs) {
  wire::RequestRules rules;
  rules.defaults.wall_time = milliseconds{1000};
  rules.defaults.memory_bytes = 32U << 20;
  const auto known = runtimes();
  const auto plain =
      parse_request(with(R"("run_timeout":0,"run_memory_limit":null,"run_cpu_time":"")"), "t", known, rules);
  ASSERT_TRUE(plain.has_value()) << plain.error().message;
  EXPECT_EQ(plain->job.limits, rules.defaults);
  const auto most = parse_request(with(R"("run_memory_limit":-1)"), "t", known, rules);
  ASSERT_TRUE(most.has_value()) << most.error().message;
  EXPECT_EQ(most->job.limits.memory_bytes, rules.ceilings.memory_bytes);
}

TEST(PistonRequest, RuntimesAreTheInstalledOnesUnderPistonsNames) {
  EXPECT_EQ(
      runtimes_json(runtimes()),
      R"([{"language":"python","version":"3.11.2","aliases":["py","py3","python3"]},)"
      R"({"language":"javascript","version":"18.20.4","aliases":["node-javascript","node-js","js","node","nodejs"],)"
      R"("runtime":"node"}])");
  EXPECT_EQ(packages_json(runtimes()), R"([{"language":"python","language_version":"3.11.2","installed":true},)"
                                       R"({"language":"node","language_version":"18.20.4","installed":true},)"
                                       R"({"language":"cpp","language_version":"0.0.0","installed":false}])");
}

TEST(PistonRequest, NamesAreSettledAsNodeJoinsThem) {
  EXPECT_EQ(settled_name("/a//b/./c/../d"), "a/b/d");
  EXPECT_EQ(settled_name("a/../../b"), "../b");
  EXPECT_TRUE(leads_out(settled_name("..")));
  EXPECT_FALSE(leads_out(settled_name("..a/b")));
}

}  // namespace
}  // namespace outrigger::piston
