#include "view/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "view/test_report.h"

namespace outrigger::view {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Table, ARowAJobAndAllTogetherAtTheEnd) {
  Report report = test_report();
  sort_jobs(report.jobs, Order::kMemory);
  const auto lines = lines_of(to_table(report, {}));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0],
            "JOB      TENANT  LANGUAGE    AGE             MEMORY         CPU  THROTTLED  TASKS  OOM  VERDICT SO FAR");
  EXPECT_EQ(lines[1],
            "near     acme    python    2.3 s  118.0 / 128.0 MiB  92 %  50 %       48 %   3/32    0  memory_approach");
  EXPECT_EQ(lines[2],
            "unknown  acme    bash      0.0 s                  -     -     -          -    -/-    -  healthy");
  EXPECT_EQ(lines[3], "  warning: 118.0 MiB of 128.0 MiB");
  EXPECT_EQ(
      lines[4],
      "2 jobs, cgroup v2 | sandbox RAM 118.0 MiB of the host's 1024.0 MiB: 11.52 %, ceiling 65 % | dispatch open");
}

TEST(Table, ColoursOnlyWhereTheyAreWanted) {
  EXPECT_THAT(to_table(test_report(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_table(test_report(), {.colour = true}), HasSubstr("\x1b[33mmemory_approach\x1b[0m"));
}

TEST(Table, NothingAJobIsCalledReachesTheTerminal) {
  Report report = test_report();
  report.jobs[0].language = "\x1b]0;gotcha\x07";
  EXPECT_THAT(to_table(report, {}), Not(HasSubstr("\x1b")));
}

TEST(Table, MoreJobsThanThereIsRoomForAreCounted) {
  EXPECT_THAT(to_table(test_report(), {.max_jobs = 1}), HasSubstr("... and 1 more\n"));
}

TEST(Table, WithoutJobsItSaysSo) {
  Report report;
  report.fleet.trouble = "cannot reach http://127.0.0.1:1";
  EXPECT_EQ(to_table(report, {}),
            "no job is running\n0 jobs | sandbox RAM 0.0 MiB, ceiling 65 % | dispatch unknown (cannot reach "
            "http://127.0.0.1:1)\n");
}

TEST(Table, APauseIsShownWithItsReason) {
  Report report;
  report.fleet.dispatch_paused = true;
  report.fleet.dispatch_reason = "crows-nest: too much";
  EXPECT_THAT(to_table(report, {}), HasSubstr("dispatch paused (crows-nest: too much)"));
}

}  // namespace
}  // namespace outrigger::view
