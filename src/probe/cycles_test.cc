#include "probe/cycles.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/live_group.h"
#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

// A group in the unified hierarchy, where perf_event is unless a v1 hierarchy holds it.
class CyclesLive : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = sys::discover_hierarchies();
    ASSERT_TRUE(found && found->unified);
    ASSERT_EQ(found->find_v1("perf_event"), nullptr);
    path_ = found->unified->own_group + "/probe-test-cycles-" + std::to_string(::getpid());
    ASSERT_EQ(::mkdir(path_.c_str(), 0755), 0);
    dir_ = std::move(*sys::open_at(AT_FDCWD, path_.c_str(), O_RDONLY | O_DIRECTORY));
  }
  void TearDown() override {
    if (busy_ > 0) {
      ::kill(busy_, SIGKILL);
      ::waitpid(busy_, nullptr, 0);
    }
    EXPECT_TRUE(eventually([this] { return ::rmdir(path_.c_str()) == 0; }));
  }
  void start_busy() {
    busy_ = ::fork();
    if (busy_ == 0) ::_exit(sys::write_file_at(dir_.get(), "cgroup.procs", "0") ? be_busy() : 1);
    ASSERT_GT(busy_, 0);
  }

  std::string path_;
  base::UniqueFd dir_;
  pid_t busy_ = -1;
};

TEST_F(CyclesLive, AGroupIsCountedAndNobodyElse) {
  const auto counter = CycleCounter::open(dir_.get(), CycleEvent::kTaskClock);
  ASSERT_TRUE(counter) << counter.error().text();
  EXPECT_EQ(counter->read(), 0U) << "this process is busy too, and not in it";
  start_busy();
  constexpr std::uint64_t kTenMilliseconds = 10'000'000;
  EXPECT_TRUE(eventually([&] { return counter->read().value_or(0) > kTenMilliseconds; }));
  const auto usage = sys::flat_key(sys::read_file_at(dir_.get(), "cpu.stat").value_or(""), "usage_usec");
  EXPECT_GT(usage.value_or(0), 0U);
}

TEST(Cycles, WhatCannotBeCountedHasAReason) {
  const Places v1{sys::CgroupVersion::kV1, {}};
  const auto other = find_cycle_counting(v1, CycleEvent::kTaskClock);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, base::Code::kUnsupported);
  EXPECT_EQ(other.error().context, "the perf_event controller is in another hierarchy than the jobs' v1 groups");
  const Places v2{sys::CgroupVersion::kV2, {}};
  EXPECT_EQ(find_cycle_counting(v2, CycleEvent::kTaskClock).value(), sys::Controller::kMemory);
  // The machine may have the counter or not; if not, it says so.
  const auto hardware = find_cycle_counting(v2);
  if (!hardware) {
    EXPECT_EQ(hardware.error().context, "this machine has no hardware cycle counter") << hardware.error().text();
  }
}

TEST(Cycles, OnlyAGroupsDirectoryIsCounted) {
  const auto root = sys::open_at(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
  EXPECT_FALSE(CycleCounter::open(root->get(), CycleEvent::kTaskClock).has_value());
}

}  // namespace
}  // namespace outrigger::probe
