#include <gtest/gtest.h>

#include "rules/kinds.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;
using probe::Absence;
using probe::Figure;

TEST(EscapeSigns, AProcessOutsideTheNamespaceIsToldOnceWithItsPid) {
  WatchedJob job(kEscapeSigns);
  const Members members{.count = 3, .outside = {4711, 4712}};
  job.members = &members;
  const auto finding = job.look();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kCritical);
  EXPECT_EQ(finding->text,
            "2 tasks in the group of job j1 of tenant acme are not in the jail's pid namespace: pid 4711, 4712");
  EXPECT_FALSE(job.look());
}

TEST(EscapeSigns, WhatTheKernelDidNotShowIsNoSign) {
  WatchedJob job(kEscapeSigns);
  const Members members{.count = 3, .outside = {4711}, .namespaces_known = false};
  job.members = &members;
  EXPECT_FALSE(job.look());
}

TEST(EscapeSigns, BothKindsAreToldOneAfterTheOther) {
  WatchedJob job(kEscapeSigns);
  const Members members{.count = 1, .outside = {4711}};
  job.members = &members;
  EXPECT_TRUE(job.look_after_end(3s));
  const auto second = job.look_after_end(4s);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->text, "1 task of job j1 of tenant acme is still there 4.00 s after its end");
  EXPECT_FALSE(job.look_after_end(5s));
}

struct Case {
  const char* name;
  std::chrono::milliseconds since;
  std::optional<std::size_t> members;
  Figure pids;
  bool told;
};

class AliveAfterTheEnd : public ::testing::TestWithParam<Case> {};

TEST_P(AliveAfterTheEnd, IsTold) {
  WatchedJob job(kEscapeSigns);
  const Members members{.count = GetParam().members.value_or(0)};
  if (GetParam().members) job.members = &members;
  job.reading.pids = GetParam().pids;
  EXPECT_EQ(job.look_after_end(GetParam().since).has_value(), GetParam().told);
}

const Case kCases[] = {
    {"ByItsMembers", 2000ms, 1, Absence::kNotRead, true},
    {"ByTheKernelsCount", 2000ms, {}, 1U, true},
    {"ByTheCountThoughNoneIsListed", 2000ms, 0, 1U, true},
    {"NotBeforeTwoSeconds", 1999ms, 1, 1U, false},
    {"NotOfAnEmptyGroup", 9000ms, 0, 0U, false},
    {"NotWhereNothingIsKnown", 9000ms, {}, Absence::kNoFile, false},
};

INSTANTIATE_TEST_SUITE_P(Groups, AliveAfterTheEnd, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(EscapeSigns, AJobThatRunsMayHaveProcesses) {
  WatchedJob job(kEscapeSigns);
  job.reading.pids = 5U;
  EXPECT_FALSE(job.look());
}

}  // namespace
}  // namespace outrigger::rules
