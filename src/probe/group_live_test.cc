// Groups of the running kernel, v2 or v1: the probe says what the files themselves say.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/group.h"
#include "probe/live_group.h"
#include "probe/parse.h"

namespace outrigger::probe {
namespace {

using sys::Controller;

class GroupLive : public ::testing::Test {
 protected:
  Group open() { return std::move(Group::open(live_.places(), live_.name(), budget_).value()); }
  std::uint64_t number(Controller controller, const std::string& v2, const std::string& v1) {
    return *parse_number(live_.text(controller, live_.v2() ? v2 : v1));
  }
  std::uint64_t cpu_usec() {
    return live_.v2() ? *parse_key(live_.text(Controller::kCpu, "cpu.stat"), "usage_usec")
                      : *parse_number(live_.text(Controller::kCpuacct, "cpuacct.usage")) / 1000;
  }
  Reading full() {
    Group group = open();
    Reading reading;
    EXPECT_EQ(group.read(Depth::kFullWithLimits, reading).value(), Seen::kRead);
    return reading;
  }

  LiveGroup live_;
  DescriptorBudget budget_;
};

TEST_F(GroupLive, ANewGroupIsIdleAndLimitedAsItWasSet) {
  live_.limit_memory(64ULL << 20);
  live_.limit_cpu(50'000, 100'000);
  live_.limit_pids(9);
  const Reading reading = full();
  EXPECT_EQ(*reading.cpu_usage_usec, 0U);
  EXPECT_EQ(*reading.memory_limit_bytes, 64ULL << 20);
  EXPECT_EQ(*reading.cpu_quota_usec, 50'000U);
  EXPECT_EQ(*reading.cpu_period_usec, 100'000U);
  EXPECT_EQ(*reading.pids_limit, 9U);
  EXPECT_EQ(*reading.pids, 0U);
  EXPECT_EQ(*reading.oom_kills, 0U);
  EXPECT_EQ(*reading.throttled_usec, 0U);
  EXPECT_EQ(*reading.pids_limit_hits, 0U);
}

TEST_F(GroupLive, WhatIsNotLimitedHasNoLimit) {
  const Reading reading = full();
  EXPECT_EQ(reading.memory_limit_bytes.absence(), Absence::kNoLimit);
  EXPECT_EQ(reading.cpu_quota_usec.absence(), Absence::kNoLimit);
  EXPECT_EQ(reading.pids_limit.absence(), Absence::kNoLimit);
}

TEST_F(GroupLive, CpuTimeLiesBetweenWhatTheFileSaysBeforeAndAfter) {
  live_.start(be_busy);
  Group group = open();
  ASSERT_TRUE(eventually([this] { return cpu_usec() > 0; }));
  for (int i = 0; i < 20; ++i) {
    Reading reading;
    const std::uint64_t before = cpu_usec();
    ASSERT_EQ(group.read(Depth::kLight, reading).value(), Seen::kRead);
    const std::uint64_t after = cpu_usec();
    EXPECT_LE(before, *reading.cpu_usage_usec);
    EXPECT_LE(*reading.cpu_usage_usec, after);
  }
}

TEST_F(GroupLive, MemoryAndProcessesAreAsTheFilesSay) {
  live_.start([] {
    take_memory(4U << 20);
    return ::pause();
  });
  Group group = open();
  Reading reading;
  const auto memory = [this] { return number(Controller::kMemory, "memory.current", "memory.usage_in_bytes"); };
  // The child is at rest when two readings around ours agree.
  EXPECT_TRUE(eventually([&] {
    const std::uint64_t before = memory();
    EXPECT_TRUE(group.read(Depth::kFull, reading));
    return before >= 4U << 20 && before == memory() && *reading.memory_bytes == before;
  })) << *reading.memory_bytes;
  EXPECT_GE(*reading.memory_peak_bytes, *reading.memory_bytes);
  EXPECT_EQ(*reading.pids, 1U);
  EXPECT_EQ(*reading.pids, number(Controller::kPids, "pids.current", "pids.current"));
}

TEST_F(GroupLive, AnOomKillIsCounted) {
  live_.limit_memory(8U << 20);
  const int status = live_.wait(live_.start([] { return take_memory(32U << 20); }));
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  const Reading reading = full();
  const std::string file = live_.text(Controller::kMemory, live_.v2() ? "memory.events" : "memory.oom_control");
  EXPECT_GE(*reading.oom_kills, 1U);
  EXPECT_EQ(*reading.oom_kills, *parse_key(file, "oom_kill"));
  EXPECT_LE(*reading.memory_peak_bytes, *reading.memory_limit_bytes);
  if (live_.v2()) EXPECT_GE(*reading.ooms, 1U);
}

TEST_F(GroupLive, AChargeRefusedByTheMemoryCeilingIsCounted) {
  // On v1 without a ceiling for memory with swap beside it, which would be the first to refuse.
  live_.set(Controller::kMemory, live_.v2() ? "memory.max" : "memory.limit_in_bytes", std::to_string(8U << 20));
  live_.wait(live_.start([] { return take_memory(16U << 20); }));
  EXPECT_GE(*full().memory_limit_hits, 1U);
}

TEST_F(GroupLive, ThrottlingIsCounted) {
  live_.limit_cpu(10'000, 100'000);
  live_.start(be_busy);
  Group group = open();
  Reading reading;
  EXPECT_TRUE(eventually([&] { return group.read(Depth::kFull, reading) && *reading.throttled_usec > 0; }));
  const std::string key = live_.v2() ? "throttled_usec" : "throttled_time";
  const std::uint64_t unit = live_.v2() ? 1 : 1000;
  const auto throttled = [&] { return *parse_key(live_.text(Controller::kCpu, "cpu.stat"), key) / unit; };
  const std::uint64_t before = throttled();
  ASSERT_TRUE(group.read(Depth::kFull, reading));
  EXPECT_LE(before, *reading.throttled_usec);
  EXPECT_LE(*reading.throttled_usec, throttled());
  EXPECT_GE(*reading.periods, *reading.throttled_periods);
  EXPECT_GE(*reading.throttled_periods, 1U);
}

TEST_F(GroupLive, ARefusedForkIsCounted) {
  live_.limit_pids(1);
  const int status = live_.wait(live_.start([] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    return child < 0 && errno == EAGAIN ? 7 : 0;
  }));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_GE(*full().pids_limit_hits, 1U);
}

TEST_F(GroupLive, ARemovedGroupHasEndedByItsKeptFilesAndByName) {
  DescriptorBudget none(0);
  Group kept = open();
  auto named = Group::open(live_.places(), live_.name(), none);
  Reading reading;
  ASSERT_EQ(kept.read(Depth::kLight, reading).value(), Seen::kRead);
  ASSERT_EQ(named->read(Depth::kLight, reading).value(), Seen::kRead);
  EXPECT_EQ(kept.kept_descriptors(), 2U);
  EXPECT_EQ(named->kept_descriptors(), 0U);
  live_.remove();
  for (Group* group : {&kept, &*named}) {
    EXPECT_EQ(group->read(Depth::kLight, reading).value(), Seen::kEnded);
    EXPECT_EQ(group->read(Depth::kFullWithLimits, reading).value(), Seen::kEnded);
  }
  EXPECT_EQ(kept.kept_descriptors(), 0U) << "nothing is kept of what has ended";
}

TEST_F(GroupLive, WhoComesBackByTheSameNameIsAnother) {
  Group first = open();
  Reading reading;
  ASSERT_TRUE(first.read(Depth::kLight, reading));
  live_.remove();
  live_.make();
  EXPECT_EQ(first.read(Depth::kLight, reading).value(), Seen::kEnded);
  Group second = open();
  EXPECT_NE(first.identity(), second.identity());
  EXPECT_EQ(second.read(Depth::kLight, reading).value(), Seen::kRead);
}

TEST_F(GroupLive, WhatIsInactiveIsFoundInMemoryStat) {
  const auto inactive = open().read_inactive_file();
  ASSERT_TRUE(inactive) << inactive.error().text();
  EXPECT_TRUE(*inactive) << absence_text(inactive->absence());
}

TEST_F(GroupLive, WithoutDescriptorsLeftWhatIsKeptIsReadAndTheRestIsAnErrorToTryAgain) {
  Group kept = open();
  Group late = open();
  Reading reading;
  ASSERT_TRUE(kept.read(Depth::kLight, reading));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto by_kept = kept.read(Depth::kLight, reading);
  const auto by_name = late.read(Depth::kLight, reading);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(by_kept.value(), Seen::kRead);
  ASSERT_FALSE(by_name.has_value());
  EXPECT_EQ(by_name.error().code, base::Code::kExhausted);
  EXPECT_EQ(budget_.most(), 2U) << "no more is kept than there was";
  EXPECT_EQ(late.read(Depth::kLight, reading).value(), Seen::kRead);
}

}  // namespace
}  // namespace outrigger::probe
