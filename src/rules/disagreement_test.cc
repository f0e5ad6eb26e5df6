#include <gtest/gtest.h>

#include <functional>

#include "rules/kinds.h"
#include "rules/summaries.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;
using wire::Termination;

// A job of which two readings were made while it lived, with the figures of the second.
struct Case {
  const char* name;
  std::function<Termination()> summary;
  std::function<void(Termination&, probe::Reading&)> change;
  const char* text;  // nullptr: the two agree
};

std::optional<Finding> judged(const Case& one) {
  WatchedJob job(kDisagreement);
  Termination summary = one.summary();
  job.reading.cpu_usage_usec = 1'000'000U;  // of a jail that was kept warm
  job.reading.memory_bytes = 20 * kMiB;
  job.look();
  job.reading.oom_kills = 0U;
  job.reading.cpu_usage_usec = 1'300'000U;
  job.reading.memory_peak_bytes = 40 * kMiB;
  job.reading.pids = 3U;
  job.reading.pids_limit_hits = 0U;
  one.change(summary, job.reading);
  job.look();
  return job.look_when_gone(5ms, &summary);
}

class DisagreementTable : public ::testing::TestWithParam<Case> {};

TEST_P(DisagreementTable, IsJudged) {
  const auto finding = judged(GetParam());
  ASSERT_EQ(finding.has_value(), GetParam().text != nullptr) << (finding ? finding->text : "");
  if (!finding) return;
  EXPECT_EQ(finding->severity, Severity::kCritical);
  EXPECT_NE(finding->text.find(GetParam().text), std::string::npos) << finding->text;
  EXPECT_FALSE(finding->evidence.empty());
}

void as_it_is(Termination&, probe::Reading&) {}
Termination success() { return exited(0); }
Termination failure() { return exited(3); }
Termination segfault() { return signaled("SIGSEGV"); }
Termination real_time_signal() { return signaled("SIGRTMIN+2"); }
Termination jail_lost() { return internal_error("jail_lost"); }

const Case kHonest[] = {
    {"Completed", success, as_it_is, nullptr},
    {"Failed", failure, as_it_is, nullptr},
    {"Timeout", timeout, as_it_is, nullptr},
    {"CpuExceeded", cpu_exceeded, as_it_is, nullptr},
    {"CpuExceededBySignalToItself", cpu_exceeded, [](auto& s, auto&) { s.outcome.usage.cpu_time = 310ms; }, nullptr},
    {"MemoryExceeded", memory_exceeded, [](auto&, auto& r) { r.oom_kills = 1U; }, nullptr},
    {"MemoryExceededAfterTheLastReading", memory_exceeded, as_it_is, nullptr},
    {"SecurityViolation", security_violation, as_it_is, nullptr},
    {"Signaled", segfault, as_it_is, nullptr},
    {"SignaledByARealTimeSignal", real_time_signal, as_it_is, nullptr},
    {"Cancelled", cancelled, as_it_is, nullptr},
    {"InternalError", jail_lost, as_it_is, nullptr},
    {"InterruptedAfterAnOomKill", interrupted, [](auto&, auto& r) { r.oom_kills = 1U; }, nullptr},
    {"TimeoutThatTheProgramsEndOvertook", timeout, [](auto& s, auto&) { s.outcome.wall_time = 4990ms; }, nullptr},
    {"AChildsOomKill", success,
     [](auto& s, auto& r) {
       s.cgroup_oom_triggered = true;
       s.outcome.usage.oom_kills = 2;
       r.oom_kills = 1U;
     },
     nullptr},
    {"AKernelThatCountsNothing", success,
     [](auto& s, auto& r) {
       s.outcome.usage = {};
       s.cgroup_oom_triggered = {};
       r.oom_kills = probe::Absence::kNoKey;
     },
     nullptr},
    {"CpuUsedWhileDying", success, [](auto&, auto& r) { r.cpu_usage_usec = 1'440'000U; }, nullptr},
    {"TheMakingOfItsJail", success,
     [](auto& s, auto& r) {
       s.outcome.usage.setup_cpu_time = 150ms;
       r.cpu_usage_usec = 1'590'000U;
     },
     nullptr},
    {"MemoryWithinAMebibyte", success, [](auto&, auto& r) { r.memory_bytes = 41 * kMiB; }, nullptr},
    {"OneTaskMoreThanThePeak", success, [](auto&, auto& r) { r.pids = 4U; }, nullptr},
    {"PeaksThatAreNotTold", success,
     [](auto& s, auto& r) {
       s.outcome.usage.peak_memory_bytes = {};
       s.outcome.usage.peak_pids = {};
       r.memory_bytes = 100 * kMiB;
       r.pids = 30U;
     },
     nullptr},
    {"NoJailWasMade", jail_lost, [](auto& s, auto&) { s.cgroup_driver.clear(); }, nullptr},
};

const Case kAgainstTheReadings[] = {
    {"AHiddenOomKill", failure, [](auto&, auto& r) { r.oom_kills = 1U; }, "the auditor read oom_kills 1, it says 0"},
    {"OomKillsSaidNotToBeCounted", failure,
     [](auto& s, auto& r) {
       s.outcome.usage.oom_kills = {};
       s.cgroup_oom_triggered = {};
       r.oom_kills = 1U;
     },
     "the auditor read 1 OOM kill, it says that none are counted here"},
    {"TooLittleCpu", success, [](auto&, auto& r) { r.cpu_usage_usec = 1'600'000U; },
     "it used 600 ms of CPU, it says 400 ms in all"},
    {"TooLittleCpuEvenWithTheMaking", success,
     [](auto& s, auto& r) {
       s.outcome.usage.setup_cpu_time = 100ms;
       r.cpu_usage_usec = 1'600'000U;
     },
     "it says 400 ms in all, and 100 ms for the making of its jail"},
    {"TooLowAPeak", success, [](auto&, auto& r) { r.memory_bytes = 42 * kMiB; },
     "the auditor read 42.0 MiB of memory, its peak is 40.0 MiB"},
    {"TooFewTasks", success, [](auto&, auto& r) { r.pids = 30U; }, "the auditor read pids_peak 30, it says 3"},
    {"HiddenRefusals", success, [](auto&, auto& r) { r.pids_limit_hits = 9U; },
     "the auditor read pids_limit_hits 9, it says 0"},
    {"AnotherDriver", success, [](auto& s, auto&) { s.cgroup_driver = "v1"; },
     "its cgroup_driver is v1, the group is of v2"},
};

const Case kAgainstTheCard[] = {
    {"AnotherTenant", success, [](auto& s, auto&) { s.outcome.tenant_id = "evil"; },
     "of tenant evil, the card of acme"},
    {"AnotherLanguage", success, [](auto& s, auto&) { s.outcome.language = "bash"; }, "bash, on the card python"},
    {"AnotherJob", success, [](auto& s, auto&) { s.outcome.job_id = "j2"; }, "it is of job j2"},
    {"TimeoutBeforeItsTime", timeout, [](auto& s, auto&) { s.outcome.wall_time = 3s; },
     "timeout after 3.00 s of 5.00 s"},
    {"CpuExceededBeforeItsTime", cpu_exceeded,
     [](auto& s, auto&) {
       s.outcome.signal = "SIGKILL";
       s.outcome.exit_code = 137;
       s.outcome.usage.cpu_time = 1s;
     },
     "cpu_exceeded after 1.00 s of 5.00 s of CPU, without SIGXCPU"},
};

const Case kWithin[] = {
    {"CompletedWithAStatus", success, [](auto& s, auto&) { s.outcome.exit_code = 1; },
     "its status is completed with exit code 1 and signal null"},
    {"FailedWithZero", failure, [](auto& s, auto&) { s.outcome.exit_code = 0; },
     "its status is failed with exit code 0"},
    {"MemoryExceededWithoutAKill", memory_exceeded,
     [](auto& s, auto&) {
       s.outcome.usage.oom_kills = 0;
       s.cgroup_oom_triggered = false;
     },
     "its status is memory_exceeded, and it counts no OOM kill"},
    {"ViolationWithoutACall", security_violation, [](auto& s, auto&) { s.outcome.security_events.clear(); },
     "it names no system call"},
    {"SignalAndExitCodeApart", segfault, [](auto& s, auto&) { s.outcome.exit_code = 134; },
     "signaled with exit code 134 and signal SIGSEGV"},
    {"SignaledWithoutASignal", segfault, [](auto& s, auto&) { s.outcome.signal = {}; }, "and signal null"},
    {"OomTriggeredWithoutAKill", success, [](auto& s, auto&) { s.cgroup_oom_triggered = true; },
     "cgroup_oom_triggered true with 0 OOM kills"},
    {"EndedBeforeItStarted", success, [](auto& s, auto&) { s.outcome.ended_at = s.outcome.started_at - 2s; },
     "it ended 2.00 s before it started"},
};

std::string name_of(const ::testing::TestParamInfo<Case>& each) { return each.param.name; }
INSTANTIATE_TEST_SUITE_P(Honest, DisagreementTable, ::testing::ValuesIn(kHonest), name_of);
INSTANTIATE_TEST_SUITE_P(AgainstTheReadings, DisagreementTable, ::testing::ValuesIn(kAgainstTheReadings), name_of);
INSTANTIATE_TEST_SUITE_P(AgainstTheCard, DisagreementTable, ::testing::ValuesIn(kAgainstTheCard), name_of);
INSTANTIATE_TEST_SUITE_P(Within, DisagreementTable, ::testing::ValuesIn(kWithin), name_of);

TEST(Disagreement, IsOneFindingOfAllDifferences) {
  WatchedJob job(kDisagreement);
  job.reading.oom_kills = 2U;
  job.reading.pids = 30U;
  job.look();
  auto summary = exited(137);
  const auto finding = job.look_when_gone(5ms, &summary);
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->text.find("oom_kills 2, it says 0; the auditor read pids_peak 30"), std::string::npos)
      << finding->text;
  for (const char* name : {"reading.oom_kills", "summary.oom_kills", "reading.pids_peak", "summary.pids_peak"}) {
    EXPECT_TRUE(has_fact(finding->evidence, name)) << name;
  }
  EXPECT_FALSE(job.look_when_gone(500ms, &summary));
}

TEST(Disagreement, OfAJobThatWasNeverSeenAliveTheSummaryStandsByItself) {
  for (const auto& [exit_code, told] : {std::pair{0, false}, std::pair{1, true}}) {
    WatchedJob job(kDisagreement);
    job.job = {"j1", "", "", {}, {}};
    auto summary = exited(0);
    summary.outcome.exit_code = exit_code;
    EXPECT_EQ(job.look_when_gone(5ms, &summary).has_value(), told);
  }
}

TEST(Disagreement, WaitsForTheSummary) {
  WatchedJob job(kDisagreement);
  job.reading.oom_kills = 1U;
  EXPECT_FALSE(job.look());
  EXPECT_FALSE(job.look_when_gone(5ms));
  auto summary = exited(0);
  EXPECT_TRUE(job.look_when_gone(500ms, &summary));
}

}  // namespace
}  // namespace outrigger::rules
