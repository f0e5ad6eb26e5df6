#include "run/launch_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "jail/plan.h"

namespace outrigger::run {
namespace {

using ::testing::Contains;
using ::testing::Not;
using namespace std::chrono_literals;

model::Runtime runtime() {
  model::Runtime one;
  one.command = {"/usr/bin/python3", "main.py"};
  one.source_file = "main.py";
  one.env = {{"LANG", "C"}, {"ONLY", "runtime"}};
  return one;
}

std::string joined(const LaunchPayload& payload) {
  std::string all;
  for (const auto& buffer : payload.buffers()) all.append(static_cast<const char*>(buffer.data()), buffer.size());
  return all;
}

TEST(LaunchPayload, CodeIsTheLastFileSoThatNoInputFileReplacesIt) {
  model::Job job;
  job.code = "print(1)";
  job.files = {{"main.py", "raise SystemExit", 0644}};
  const LaunchPayload payload(job, runtime());
  EXPECT_TRUE(joined(payload).ends_with("print(1)"));
}

TEST(LaunchPayload, HeaderCountsWhatFollows) {
  model::Job job;
  job.args = {"a", "b c"};
  job.limits.cpu_time = 1001ms;
  const std::string bytes = joined(LaunchPayload(job, runtime()));
  jail::LaunchHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_EQ(header.argc, 4U);
  EXPECT_EQ(header.files, 1U);
  EXPECT_EQ(header.cpu_seconds, 2U);
  const std::string strings = bytes.substr(sizeof header, header.strings_bytes);
  EXPECT_TRUE(strings.starts_with(std::string("/usr/bin/python3\0main.py\0a\0b c\0", 31))) << strings;
  EXPECT_EQ(std::ranges::count(strings, '\0'), header.argc + header.envc);
}

TEST(LaunchPayload, SaysWhereStderrGoes) {
  model::Job job;
  jail::LaunchHeader header;
  std::memcpy(&header, joined(LaunchPayload(job, runtime())).data(), sizeof header);
  EXPECT_EQ(header.flags, 0U);
  job.stderr_to_stdout = true;
  std::memcpy(&header, joined(LaunchPayload(job, runtime())).data(), sizeof header);
  EXPECT_EQ(header.flags, jail::kStderrToStdout);
}

TEST(LaunchPayload, APreludeKeepsTheSocketAndCarriesNothingOfACaller) {
  model::Runtime one = runtime();
  one.prelude = {"wait.py", {}, "/tmp/home/wait.py", "wait()", {{"PYTHONPATH", "/tmp/home"}}};
  const std::string bytes = joined(LaunchPayload(one, 5000ms));
  jail::LaunchHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_EQ(header.flags, jail::kKeepLaunchSocket);
  EXPECT_EQ(header.argc, 2U);
  EXPECT_EQ(header.command_argc, 2U);
  EXPECT_TRUE(bytes.ends_with("wait()"));
}

TEST(LaunchPayload, TheCallersEnvironmentWinsAndNothingIsDoubled) {
  const auto variables = environment(runtime(), {{"ONLY", "caller"}, {"NEW", ""}});
  EXPECT_THAT(variables, Contains("ONLY=caller"));
  EXPECT_THAT(variables, Not(Contains("ONLY=runtime")));
  EXPECT_THAT(variables, Contains("NEW="));
  EXPECT_THAT(variables, Contains("LANG=C"));
  EXPECT_THAT(variables, Contains("TZ=UTC"));
}

}  // namespace
}  // namespace outrigger::run
