#include "cli/probe.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

namespace outrigger::cli {
namespace {

using Answer = base::Result<std::string>;

TEST(RunInChild, BringsBackWhatTheBodyReturned) {
  EXPECT_EQ(run_in_child(0, {}, []() -> Answer { return "well"; }).value(), "well");
  EXPECT_EQ(run_in_child(0, {}, []() -> Answer { return ""; }).value(), "");
}

TEST(RunInChild, BringsBackTheErrorWithStepNumberAndObject) {
  const auto answer = run_in_child(0, {}, []() -> Answer { return base::system_error("mount_proc", "/proc", EPERM); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().text(), "mount_proc: Operation not permitted (EPERM): /proc");
}

TEST(RunInChild, IsAnotherProcess) {
  const pid_t self = ::getpid();
  int touched = 0;
  const auto answer = run_in_child(0, {}, [&]() -> Answer {
    touched = 1;
    return std::to_string(::getppid() == self && ::getpid() != self ? 1 : 0);
  });
  EXPECT_EQ(answer.value(), "1");
  EXPECT_EQ(touched, 0);
}

TEST(RunInChild, ADeathIsAnError) {
  const auto answer = run_in_child(0, {}, []() -> Answer {
    ::raise(SIGKILL);
    return "never";
  });
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().text().find("died"), std::string::npos);
}

TEST(RunInChild, WhatNeverEndsIsEnded) {
  const auto answer = run_in_child(
      0, {},
      []() -> Answer {
        for (;;) ::pause();
      },
      std::chrono::milliseconds(50));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().errno_value, ETIMEDOUT);
}

TEST(RunInChild, AFailedPreparationKeepsTheBodyFromRunning) {
  const auto refuse = [](pid_t) -> base::Status { return base::system_error("prepare", {}, EACCES); };
  const auto answer = run_in_child(0, refuse, []() -> Answer { return "ran"; });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().step, "prepare");
}

TEST(Probe, AFailureCarriesItsRemedyAndASuccessNone) {
  const Finding bad = probe("x", "do this", []() -> Answer { return base::system_error("step", {}, ENOSYS); });
  EXPECT_FALSE(bad.ok);
  EXPECT_EQ(bad.remedy, "do this");
  const Finding good = probe("x", "do this", []() -> Answer { return "fine"; });
  EXPECT_TRUE(good.ok);
  EXPECT_EQ(good.remedy, "");
}

TEST(Probe, KernelCallsAndNamespacesWorkWhereTestsRun) {
  for (const auto& findings : {probe_kernel_calls(), probe_namespaces({}), probe_mounts({}), probe_rights()}) {
    for (const Finding& finding : findings) EXPECT_TRUE(finding.ok) << finding.name << ": " << finding.detail;
  }
}

// Each probe must be able to fail: here for want of all capabilities, as a process in a plain container has it.
TEST(Probe, WithoutRightsEachOfThemFails) {
  const auto answer = run_in_child(0, {}, []() -> Answer {
    if (::setresuid(65534, 65534, 65534) != 0) return base::system_error("setresuid");
    std::string passed;
    for (const auto& findings : {probe_rights(), probe_cgroups({})}) {
      for (const Finding& finding : findings) passed += finding.ok ? finding.name + " " : "";
    }
    for (const Finding& finding : probe_namespaces({}))
      passed += finding.ok && finding.name != "namespace.user" ? finding.name + " " : "";
    return passed;
  });
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(*answer, "");
}

TEST(Probe, AMapOfIdsThatAreNoIdsFails) {
  config::Jail jail;
  jail.uid_base = 0xffffffffU - 1;  // the second would be the id that means "none"
  const auto findings = probe_namespaces(jail);
  EXPECT_FALSE(findings.back().ok);
  EXPECT_EQ(findings.back().name, "id_map");
}

}  // namespace
}  // namespace outrigger::cli
