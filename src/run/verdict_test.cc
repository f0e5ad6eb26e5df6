#include "run/verdict.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>

namespace outrigger::run {
namespace {

using model::Status;
using namespace std::chrono_literals;

int exited(int code) { return W_EXITCODE(code, 0); }
int signaled(int signal) { return signal; }

struct Case {
  const char* name;
  std::function<void(Evidence&)> set;
  Status status;
  std::optional<int> exit_code;
  std::optional<std::string> signal;
  const char* cause;
};

class VerdictTable : public ::testing::TestWithParam<Case> {};

TEST_P(VerdictTable, IsDecided) {
  Evidence evidence;
  GetParam().set(evidence);
  const Verdict verdict = decide(evidence);
  EXPECT_EQ(model::status_name(verdict.status), model::status_name(GetParam().status));
  EXPECT_EQ(verdict.exit_code, GetParam().exit_code);
  EXPECT_EQ(verdict.signal, GetParam().signal);
  EXPECT_EQ(verdict.cause.code, GetParam().cause);
  EXPECT_FALSE(verdict.cause.text.empty());
}

const Case kCases[] = {
    {"ExitZero", [](Evidence& e) { e.guest_status = exited(0); }, Status::kCompleted, 0, {}, "exited"},
    {"ExitOne", [](Evidence& e) { e.guest_status = exited(1); }, Status::kFailed, 1, {}, "exited"},
    {"Exit137IsNoKill", [](Evidence& e) { e.guest_status = exited(137); }, Status::kFailed, 137, {}, "exited"},
    {"Exit137AfterAChildsOomIsNoKill",
     [](Evidence& e) {
       e.guest_status = exited(137);
       e.usage.oom_kills = 1;
     },
     Status::kFailed,
     137,
     {},
     "exited"},
    {"Exit139IsNoSegfault", [](Evidence& e) { e.guest_status = exited(139); }, Status::kFailed, 139, {}, "exited"},
    {"ChildOomParentFine",
     [](Evidence& e) {
       e.guest_status = exited(0);
       e.usage.oom_kills = 2;
     },
     Status::kCompleted,
     0,
     {},
     "exited"},
    {"KilledWithOwnOom",
     [](Evidence& e) {
       e.guest_status = signaled(SIGKILL);
       e.usage.oom_kills = 1;
     },
     Status::kMemoryExceeded, 137, "SIGKILL", "memory_ceiling"},
    {"KilledWithoutOom",
     [](Evidence& e) {
       e.guest_status = signaled(SIGKILL);
       e.usage.oom_kills = 0;
     },
     Status::kSignaled, 137, "SIGKILL", "signal"},
    {"KilledWithOomUnknown", [](Evidence& e) { e.guest_status = signaled(SIGKILL); }, Status::kSignaled, 137, "SIGKILL",
     "signal"},
    {"InitItselfKilledForMemory", [](Evidence& e) { e.usage.oom_kills = 1; }, Status::kMemoryExceeded, 137, "SIGKILL",
     "memory_ceiling"},
    {"NoReportAtAll", [](Evidence&) {}, Status::kInternalError, {}, {}, "jail_lost"},
    {"NoReportOfADeadJailersJail",
     [](Evidence& e) { e.jailer_died = true; },
     Status::kInternalError,
     {},
     {},
     "jailer_died"},
    {"AStepThatFailsForItsJailersDeath",
     [](Evidence& e) {
       e.jailer_died = true;
       e.failed_step = base::Error{"seccomp", base::Code::kSystem, EPIPE, {}};
     },
     Status::kInternalError,
     {},
     {},
     "jailer_died"},
    {"AnOomKillBeforeTheJailersDeathIsNotItsCause",
     [](Evidence& e) {
       e.jailer_died = true;
       e.usage.oom_kills = 1;
     },
     Status::kInternalError,
     {},
     {},
     "jailer_died"},
    {"WhatTheDaemonDidBeforeTheJailersDeath",
     [](Evidence& e) {
       e.jailer_died = true;
       e.first_action = Action::kWallClock;
     },
     Status::kTimeout, 137, "SIGKILL", "wall_clock"},
    {"WallClock", [](Evidence& e) { e.first_action = Action::kWallClock; }, Status::kTimeout, 137, "SIGKILL",
     "wall_clock"},
    {"WallClockWhileAtTheMemoryLimit",
     [](Evidence& e) {
       e.first_action = Action::kWallClock;
       e.usage.oom_kills = 1;
     },
     Status::kTimeout, 137, "SIGKILL", "wall_clock"},
    {"CpuByTheGroupsTotal", [](Evidence& e) { e.first_action = Action::kCpuTime; }, Status::kCpuExceeded, 152,
     "SIGXCPU", "cpu_time"},
    {"CpuByRlimit", [](Evidence& e) { e.guest_status = signaled(SIGXCPU); }, Status::kCpuExceeded, 152, "SIGXCPU",
     "cpu_time"},
    {"CpuByRlimitIgnored",
     [](Evidence& e) {
       e.guest_status = signaled(SIGKILL);
       e.usage.cpu_time = 6s;
     },
     Status::kCpuExceeded, 152, "SIGXCPU", "cpu_time"},
    {"Violation",
     [](Evidence& e) {
       e.first_action = Action::kViolation;
       e.violations.push_back({"socket", {"0x2"}, 1});
     },
     Status::kSecurityViolation, 159, "SIGSYS", "seccomp"},
    {"ViolationAfterTheDeadlineIsEvidenceOnly",
     [](Evidence& e) {
       e.first_action = Action::kWallClock;
       e.violations.push_back({"socket", {"0x2"}, 1});
     },
     Status::kTimeout, 137, "SIGKILL", "wall_clock"},
    {"SigsysThatNoFilterSent", [](Evidence& e) { e.guest_status = signaled(SIGSYS); }, Status::kSignaled, 159, "SIGSYS",
     "signal"},
    {"SigioHasItsUsualName", [](Evidence& e) { e.guest_status = signaled(SIGIO); }, Status::kSignaled, 157, "SIGIO",
     "signal"},
    {"Segfault", [](Evidence& e) { e.guest_status = signaled(SIGSEGV); }, Status::kSignaled, 139, "SIGSEGV", "signal"},
    {"CoreDumpBitIsIgnored", [](Evidence& e) { e.guest_status = signaled(SIGABRT) | WCOREFLAG; }, Status::kSignaled,
     134, "SIGABRT", "signal"},
    {"RealTimeSignal", [](Evidence& e) { e.guest_status = signaled(36); }, Status::kSignaled, 164, "SIGRTMIN+2",
     "signal"},
    {"Cancelled", [](Evidence& e) { e.first_action = Action::kCancelled; }, Status::kCancelled, 137, "SIGKILL",
     "cancelled"},
    {"ClientLeft", [](Evidence& e) { e.first_action = Action::kClientLeft; }, Status::kCancelled, 137, "SIGKILL",
     "cancelled"},
    {"ShutDown", [](Evidence& e) { e.first_action = Action::kShutDown; }, Status::kCancelled, 137, "SIGKILL",
     "cancelled"},
    {"FailedStepWinsOverAll",
     [](Evidence& e) {
       e.failed_step = base::Error{"mount_proc", base::Code::kSystem, EPERM, ""};
       e.guest_status = exited(1);
       e.first_action = Action::kWallClock;
     },
     Status::kInternalError,
     {},
     {},
     "mount_proc"},
};

INSTANTIATE_TEST_SUITE_P(Evidence, VerdictTable, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(VerdictEvents, EveryThingThatHappenedIsTold) {
  Evidence evidence;
  evidence.guest_status = exited(0);
  evidence.usage.oom_kills = 2;
  evidence.usage.pids_limit_hits = 7;
  evidence.usage.cpu_time = 1s;
  evidence.usage.throttled_time = 1s;
  evidence.stdout_truncated = true;
  evidence.tmp_out_of_inodes = true;
  std::vector<std::string> types;
  for (const auto& one : decide(evidence).events) types.push_back(one.type + ":" + std::to_string(one.count));
  EXPECT_EQ(types, (std::vector<std::string>{"oom_kill:2", "pids_limit:7", "cpu_throttled:1", "output_truncated:1",
                                             "tmpfs_full:1"}));
}

TEST(VerdictEvents, AQuietJobHasNone) {
  Evidence evidence;
  evidence.guest_status = exited(0);
  evidence.usage.oom_kills = 0;
  evidence.usage.throttled_time = 0us;
  EXPECT_TRUE(decide(evidence).events.empty());
}

TEST(VerdictEvents, TheThrottledShareIsOfRunnableTime) {
  Evidence evidence;
  evidence.guest_status = exited(0);
  evidence.usage.cpu_time = 3s;
  evidence.usage.throttled_time = 1s;
  EXPECT_NE(decide(evidence).events.at(0).detail.find("25 %"), std::string::npos);
}

}  // namespace
}  // namespace outrigger::run
