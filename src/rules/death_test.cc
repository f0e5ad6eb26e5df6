#include "rules/death.h"

#include <gtest/gtest.h>

#include <functional>

#include "rules/summaries.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;
using wire::Termination;

// What both witnesses have: a summary, a card with the default limits, and two readings unless they are taken away.
struct Scene {
  Termination summary;
  Subject card{"j1", "acme", "python", {}, {}};
  probe::Reading first, last;
  bool seen = true;
  bool final = false;
  std::optional<std::uint64_t> ancestor_ooms;

  explicit Scene(Termination told) : summary(std::move(told)) {
    last.at = first.at + 900ms;
    last.memory_limit_bytes = 128 * kMiB;
    last.memory_peak_bytes = 40 * kMiB;
    last.oom_kills = 0U;
    last.ooms = 0U;
    first.cpu_usage_usec = 100'000U;
    last.cpu_usage_usec = 450'000U;
  }

  void unseen() { seen = false; }
  void v1() {
    first.version = last.version = sys::CgroupVersion::kV1;
    last.ooms = probe::Absence::kNoFile;
    last.memory_limit_hits = 0U;
    summary.cgroup_driver = "v1";
    summary.outcome.usage.memory_limit_hits = 0;
  }

  [[nodiscard]] CauseOfDeath judge() const {
    DeathScene scene{.summary = summary};
    if (seen) {
      scene.card = &card;
      scene.first = &first;
      scene.last = &last;
      scene.last_is_final = final;
    }
    scene.ancestor_ooms = ancestor_ooms;
    return cause_of_death(scene);
  }
};

struct Case {
  const char* name;
  std::function<Termination()> summary;
  std::function<void(Scene&)> change;
  const char* code;
  Confidence confidence;
  const char* text;  // a part of it
};

class CauseOfDeathTable : public ::testing::TestWithParam<Case> {};

TEST_P(CauseOfDeathTable, IsFound) {
  Scene scene(GetParam().summary());
  GetParam().change(scene);
  const CauseOfDeath cause = scene.judge();
  EXPECT_EQ(cause.code, GetParam().code);
  EXPECT_EQ(confidence_name(cause.confidence), confidence_name(GetParam().confidence)) << cause.text;
  EXPECT_NE(cause.text.find(GetParam().text), std::string::npos) << cause.text;
  EXPECT_TRUE(has_fact(cause.evidence, "summary.status"));
}

constexpr auto kCertain = Confidence::kCertain;
constexpr auto kReported = Confidence::kReported;
constexpr auto kConflict = Confidence::kConflict;

void as_it_is(Scene&) {}
void unseen(Scene& s) { s.unseen(); }
auto exit_with(int code) {
  return [code] { return exited(code); };
}
auto signal_by(const char* name) {
  return [name] { return signaled(name); };
}
void own_oom(Scene& s) {
  s.last.oom_kills = s.last.ooms = 1U;
  s.last.memory_peak_bytes = 128 * kMiB;
}
void ancestors_oom(Scene& s) {
  s.last.oom_kills = 1U;
  s.last.ooms = 0U;
  s.summary.outcome.usage.memory_limit_hits = 0;
  s.summary.outcome.usage.peak_memory_bytes = 60 * kMiB;
}

const Case kMemory[] = {
    {"ReadByTheAuditor", memory_exceeded, own_oom, "memory_ceiling", kCertain,
     "at its own memory ceiling: 1 OOM kill in its group, peak 128.0 MiB of 128.0 MiB"},
    {"AfterTheLastReading", memory_exceeded, as_it_is, "memory_ceiling", kReported, "own memory ceiling"},
    {"NeverSeenAlive", memory_exceeded, unseen, "memory_ceiling", kReported, "peak 128.0 MiB"},
    {"NoKillInTheFinalReading", memory_exceeded, [](Scene& s) { s.final = true; }, "memory_ceiling", kConflict,
     "the auditor read 0 after the end"},
    {"FinalReadingWithoutACount", memory_exceeded,
     [](Scene& s) {
       s.final = true;
       s.last.oom_kills = probe::Absence::kNoKey;
     },
     "memory_ceiling", kReported, "own memory ceiling"},
    {"NoKillAnywhere", memory_exceeded, [](Scene& s) { s.summary.outcome.usage.oom_kills = 0; }, "signal", kConflict,
     "no OOM kill is counted anywhere"},
    {"PressureIsNoKill", memory_exceeded,
     [](Scene& s) {
       s.summary.outcome.usage.oom_kills = {};
       s.last.ooms = 3U;
     },
     "signal", kConflict, "no OOM kill is counted anywhere"},
    {"AKillTheDaemonDidNotCount", signal_by("SIGKILL"), own_oom, "memory_ceiling", kConflict,
     "the daemon's summary counts 0"},
    {"AKillTheDaemonCountedAndDidNotName", signal_by("SIGKILL"),
     [](Scene& s) {
       own_oom(s);
       s.summary.outcome.usage.oom_kills = 1;
     },
     "memory_ceiling", kConflict, "the daemon's summary says signaled"},
    {"TheLastKillWasNotRead", memory_exceeded,
     [](Scene& s) {
       own_oom(s);
       s.summary.outcome.usage.oom_kills = 2;
     },
     "memory_ceiling", kReported, "2 OOM kills"},
    {"OwnOnV1ByFailcnt", memory_exceeded,
     [](Scene& s) {
       own_oom(s);
       s.v1();
       s.last.memory_limit_hits = 140U;
     },
     "memory_ceiling", kCertain, "own memory ceiling"},
    {"OwnOnV1WhereFailcntStaysZero", memory_exceeded,
     [](Scene& s) {
       own_oom(s);
       s.v1();
     },
     "memory_ceiling", kCertain, "own memory ceiling"},
    {"WhoseIsNotTold", memory_exceeded,
     [](Scene& s) {
       s.unseen();
       s.summary.outcome.usage.memory_limit_hits = {};
     },
     "memory_ceiling", kReported, "does not tell whose ceiling"},
};

const Case kAbove[] = {
    {"ReadByTheAuditor", memory_exceeded, ancestors_oom, "ancestor_memory", kCertain, "below its own ceiling"},
    {"WithTheAncestorsCount", memory_exceeded,
     [](Scene& s) {
       ancestors_oom(s);
       s.ancestor_ooms = 2;
     },
     "ancestor_memory", kCertain, "the groups above it counted 2 OOMs meanwhile"},
    {"TheHosts", memory_exceeded,
     [](Scene& s) {
       ancestors_oom(s);
       s.ancestor_ooms = 0;
     },
     "ancestor_memory", kCertain, "the host had none left"},
    {"BySummaryOnly", memory_exceeded,
     [](Scene& s) {
       ancestors_oom(s);
       s.unseen();
     },
     "ancestor_memory", kReported, "peak 60.0 MiB"},
    {"OnV1FarBelowTheLimit", memory_exceeded,
     [](Scene& s) {
       ancestors_oom(s);
       s.v1();
     },
     "ancestor_memory", kCertain, "below its own ceiling"},
};

const Case kTime[] = {
    {"WallClockSeenByTheAuditor", timeout, [](Scene& s) { s.last.at = s.first.at + 4600ms; }, "wall_clock", kCertain,
     "watchdog after 5.00 s of 5.00 s"},
    {"WallClockOfWhichTooLittleWasSeen", timeout, [](Scene& s) { s.last.at = s.first.at + 4400ms; }, "wall_clock",
     kReported, "watchdog"},
    {"WallClockNeverSeenAlive", timeout, unseen, "wall_clock", kReported, "watchdog after 5.00 s"},
    {"WallClockBeforeItsTime", timeout, [](Scene& s) { s.summary.outcome.wall_time = 2s; }, "wall_clock", kConflict,
     "after 2.00 s of 5.00 s, before its time was up"},
    {"WallClockWinsOverALaterOomKill", timeout,
     [](Scene& s) {
       own_oom(s);
       s.summary.outcome.usage.oom_kills = 1;
     },
     "wall_clock", kReported, "watchdog"},
    {"CpuTimeSeenByTheAuditor", cpu_exceeded, [](Scene& s) { s.last.cpu_usage_usec = 4'700'000U; }, "cpu_time",
     kCertain, "after 5.00 s of 5.00 s"},
    {"CpuTimeReported", cpu_exceeded, as_it_is, "cpu_time", kReported, "limit of CPU time"},
    {"CpuTimeNeverSeenAlive", cpu_exceeded, unseen, "cpu_time", kReported, "after 5.00 s"},
    {"SigxcpuToItself", cpu_exceeded, [](Scene& s) { s.summary.outcome.usage.cpu_time = 300ms; }, "cpu_time", kReported,
     "a process may have sent it to itself"},
    {"CpuTimeWithoutSigxcpuOrUse", cpu_exceeded,
     [](Scene& s) {
       s.summary.outcome.signal = "SIGKILL";
       s.summary.outcome.usage.cpu_time = 300ms;
     },
     "cpu_time", kConflict, "before that was used up"},
    {"CpuTimeTheKernelDidNotCount", cpu_exceeded, [](Scene& s) { s.final = true; }, "cpu_time", kConflict,
     "the auditor read 450 ms after the end"},
    {"SignaledBySigxcpu", signal_by("SIGXCPU"), as_it_is, "cpu_time", kReported, "SIGXCPU"},
};

const Case kSignals[] = {
    {"Seccomp", security_violation, as_it_is, "seccomp", kReported, "blocked system call socket"},
    {"SigsysWithAnEvent", security_violation, [](Scene& s) { s.summary.outcome.status = model::Status::kSignaled; },
     "seccomp", kReported, "socket"},
    {"SigsysWithoutAnEvent", signal_by("SIGSYS"), as_it_is, "signal", kReported, "no blocked system call is named"},
    {"ViolationWithoutAnEvent", security_violation, [](Scene& s) { s.summary.outcome.security_events.clear(); },
     "signal", kConflict, "no blocked system call is named"},
    {"Segfault", signal_by("SIGSEGV"), as_it_is, "illegal_memory_access", kReported, "SIGSEGV"},
    {"BusError", signal_by("SIGBUS"), as_it_is, "illegal_memory_access", kReported, "SIGBUS"},
    {"SegfaultByItsCodeOnly", signal_by("SIGSEGV"), [](Scene& s) { s.summary.outcome.signal = {}; },
     "illegal_memory_access", kReported, "SIGSEGV"},
    {"Abort", signal_by("SIGABRT"), as_it_is, "signal", kReported, "ended by SIGABRT"},
    {"RealTimeSignal", signal_by("SIGRTMIN+2"), as_it_is, "signal", kReported, "SIGRTMIN+2"},
    {"KillBySomebody", signal_by("SIGKILL"), as_it_is, "signal", kReported, "not for memory"},
    {"KillWithNothingCounted", signal_by("SIGKILL"),
     [](Scene& s) {
       s.unseen();
       s.summary.outcome.usage.oom_kills = {};
     },
     "signal", kReported, "whether for memory is not known"},
};

const Case kExits[] = {
    {"Zero", exit_with(0), as_it_is, "exited", kReported, "exited with status 0"},
    {"One", exit_with(1), unseen, "exited", kReported, "exited with status 1"},
    {"Its137IsNoKill", exit_with(137), as_it_is, "exited", kReported, "status 137, by itself: the number proves no"},
    {"Its139IsNoSegfault", exit_with(139), as_it_is, "exited", kReported, "the number proves no signal"},
    {"Its137AfterAChildsOomKill", exit_with(137),
     [](Scene& s) {
       own_oom(s);
       s.summary.outcome.usage.oom_kills = 1;
     },
     "exited", kReported, "not its main process"},
    {"Its137WithAHiddenOomKill", exit_with(137), own_oom, "exited", kConflict, "does not fit together"},
    {"CompletedWithAStatus", exit_with(0), [](Scene& s) { s.summary.outcome.exit_code = 4; }, "exited", kConflict,
     "exited with status 4"},
    {"ExitedWithASignal", exit_with(1), [](Scene& s) { s.summary.outcome.signal = "SIGTERM"; }, "exited", kConflict,
     "does not fit together"},
};

const Case kDaemon[] = {
    {"Cancelled", cancelled, as_it_is, "cancelled", kReported, "as the daemon puts it"},
    {"CancelledWithAnOomKill", cancelled, own_oom, "cancelled", kReported, "cancelled"},
    {"Interrupted", interrupted, as_it_is, "interrupted", kReported, "the daemon died while it ran"},
    {"JailerDied", [] { return internal_error("jailer_died"); }, as_it_is, "jailer_died", kReported,
     "the daemon failed"},
    {"NoGroup", [] { return internal_error("make_cgroup"); }, unseen, "make_cgroup", kReported,
     "as the daemon puts it"},
    {"NoStepNamed", [] { return internal_error(""); }, unseen, "internal_error", kReported, "the daemon failed"},
};

std::string name_of(const ::testing::TestParamInfo<Case>& each) { return each.param.name; }
INSTANTIATE_TEST_SUITE_P(Memory, CauseOfDeathTable, ::testing::ValuesIn(kMemory), name_of);
INSTANTIATE_TEST_SUITE_P(MemoryAbove, CauseOfDeathTable, ::testing::ValuesIn(kAbove), name_of);
INSTANTIATE_TEST_SUITE_P(Time, CauseOfDeathTable, ::testing::ValuesIn(kTime), name_of);
INSTANTIATE_TEST_SUITE_P(Signals, CauseOfDeathTable, ::testing::ValuesIn(kSignals), name_of);
INSTANTIATE_TEST_SUITE_P(Exits, CauseOfDeathTable, ::testing::ValuesIn(kExits), name_of);
INSTANTIATE_TEST_SUITE_P(Daemon, CauseOfDeathTable, ::testing::ValuesIn(kDaemon), name_of);

TEST(CauseOfDeath, CarriesWhatBothWitnessesSay) {
  Scene scene(security_violation());
  scene.ancestor_ooms = 0;
  const Evidence evidence = scene.judge().evidence;
  for (const char* name :
       {"summary.exit_code", "summary.signal", "summary.oom_kills", "reading.oom_kills", "reading.ooms",
        "summary.peak_memory_bytes", "reading.memory_limit_bytes", "summary.runtime_ms", "limit.wall_time_ms",
        "summary.cpu_usage_usec", "reading.cpu_used_usec", "summary.syscall", "ancestor_ooms", "limit.cpu_time_ms"}) {
    EXPECT_TRUE(has_fact(evidence, name)) << name;
  }
}

TEST(CauseOfDeath, WhatWasNotSeenIsNotKnown) {
  Scene scene(exited(0));
  scene.unseen();
  const Evidence evidence = scene.judge().evidence;
  for (const char* name : {"reading.oom_kills", "limit.wall_time_ms", "ancestor_ooms", "reading.cpu_used_usec"}) {
    EXPECT_FALSE(has_fact(evidence, name)) << name;
  }
}

}  // namespace
}  // namespace outrigger::rules
