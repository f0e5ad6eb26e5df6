#include "runtime/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace outrigger::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Subprocess, CapturesOutputAndHandsOutErrorLines) {
  std::vector<std::string> lines;
  const auto finished =
      run_subprocess({{"/bin/sh", "-c", "echo out; echo one >&2; printf 'bar\\rtwo\\n\\nlast' >&2; exit 3"}, {}},
                     [&](std::string_view line) { lines.emplace_back(line); });
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->out, "out\n");
  EXPECT_THAT(lines, ElementsAre("one", "bar", "two", "last"));
  EXPECT_EQ(describe_wait_status(finished->wait_status), "exited with status 3");
}

TEST(Subprocess, OutputOnBothStreamsLargerThanAPipeDoesNotBlock) {
  std::size_t error_bytes = 0;
  const auto finished = run_subprocess(
      {{"/bin/sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero | tr '\\0' y >&2"},
       {"PATH=/usr/bin:/bin"}},
      [&](std::string_view line) { error_bytes += line.size(); });
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_EQ(finished->out.size(), 300000U);
  EXPECT_EQ(error_bytes, 300000U);
}

TEST(Subprocess, ReadsNothingAndInheritsNoEnvironment) {
  ::setenv("OUTRIGGER_TEST_SECRET", "s3cret", 1);
  const auto finished = run_subprocess({{"/bin/sh", "-c", "cat; export -p"}, {"A=b"}}, [](std::string_view) {});
  ::unsetenv("OUTRIGGER_TEST_SECRET");
  ASSERT_TRUE(finished) << finished.error().text();
  EXPECT_THAT(finished->out, HasSubstr("A='b'"));
  EXPECT_THAT(finished->out, testing::Not(HasSubstr("s3cret")));
}

TEST(Subprocess, AProgramThatIsMissingIsAnError) {
  const auto finished = run_subprocess({{"/nonexistent/program"}, {}}, [](std::string_view) {});
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().errno_value, ENOENT);
  EXPECT_EQ(finished.error().context, "/nonexistent/program");
}

TEST(Subprocess, ASignalIsNamed) {
  const auto finished = run_subprocess({{"/bin/sh", "-c", "kill -TERM $$"}, {}}, [](std::string_view) {});
  ASSERT_TRUE(finished);
  EXPECT_EQ(describe_wait_status(finished->wait_status), "was killed by signal 15 (SIGTERM)");
}

}  // namespace
}  // namespace outrigger::runtime
