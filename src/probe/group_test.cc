// Groups made of plain files: what is read from where, and what is said of that which is missing.
#include "probe/group.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace outrigger::probe {
namespace {

namespace fs = std::filesystem;
using sys::CgroupVersion;

class FakeGroups : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "probe.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  void files(const std::string& group, const std::map<std::string, std::string>& texts) const {
    fs::create_directories(root_ / group);
    for (const auto& [name, text] : texts) std::ofstream(root_ / group / name) << text;
  }
  // One directory for all controllers, as if v1 had them mounted together.
  const OpenPlaces& places(CgroupVersion version) {
    Places places{version, {}};
    places.roots.fill(root_.string());
    places_ = OpenPlaces::open(places).value();
    return places_;
  }
  Group group(CgroupVersion version, const std::string& name) {
    return std::move(Group::open(places(version), name, budget_).value());
  }

  fs::path root_;
  OpenPlaces places_;
  DescriptorBudget budget_;
  Reading reading_;
};

const std::map<std::string, std::string> kV2Files{
    {"cgroup.procs", ""},
    {"cpu.stat", "usage_usec 2500\nuser_usec 1\nsystem_usec 1\nnr_periods 4\nnr_throttled 1\nthrottled_usec 700\n"},
    {"cpu.max", "50000 100000\n"},
    {"memory.current", "4096\n"},
    {"memory.peak", "8192\n"},
    {"memory.max", "67108864\n"},
    {"memory.events", "low 0\nhigh 0\nmax 9\noom 3\noom_kill 1\noom_group_kill 0\n"},
    {"memory.events.local", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\noom_group_kill 0\n"},
    {"memory.pressure", "some avg10=1.23 avg60=0.00 avg300=0.00 total=9\nfull avg10=0.00 total=0\n"},
    {"memory.stat", "anon 1\ninactive_file 77\n"},
    {"pids.current", "3\n"},
    {"pids.peak", "5\n"},
    {"pids.max", "9\n"},
    {"pids.events", "max 2\n"}};

TEST_F(FakeGroups, AFullReadingOfV2HasEveryFigure) {
  files("job", kV2Files);
  Group job = group(CgroupVersion::kV2, "job");
  ASSERT_EQ(job.read(Depth::kFullWithLimits, reading_).value(), Seen::kRead);
  EXPECT_EQ(*reading_.cpu_usage_usec, 2500U);
  EXPECT_EQ(*reading_.throttled_usec, 700U);
  EXPECT_EQ(*reading_.periods, 4U);
  EXPECT_EQ(*reading_.throttled_periods, 1U);
  EXPECT_EQ(*reading_.cpu_quota_usec, 50'000U);
  EXPECT_EQ(*reading_.cpu_period_usec, 100'000U);
  EXPECT_EQ(*reading_.memory_bytes, 4096U);
  EXPECT_EQ(*reading_.memory_peak_bytes, 8192U);
  EXPECT_EQ(*reading_.memory_limit_bytes, 67'108'864U);
  EXPECT_EQ(*reading_.memory_limit_hits, 9U);
  EXPECT_EQ(*reading_.ooms, 2U) << "its own, not its children's";
  EXPECT_EQ(*reading_.oom_kills, 1U);
  EXPECT_EQ(*reading_.memory_stalled_permyriad, 123U);
  EXPECT_EQ(*reading_.pids, 3U);
  EXPECT_EQ(*reading_.pids_peak, 5U);
  EXPECT_EQ(*reading_.pids_limit, 9U);
  EXPECT_EQ(*reading_.pids_limit_hits, 2U);
  EXPECT_EQ(*job.read_inactive_file().value(), 77U);
}

TEST_F(FakeGroups, AFullReadingOfV1IsInMicrosecondsToo) {
  files("job", {{"cpuacct.usage", "2500999\n"},
                {"cpu.stat", "nr_periods 4\nnr_throttled 1\nthrottled_time 700000\n"},
                {"cpu.cfs_quota_us", "-1\n"},
                {"cpu.cfs_period_us", "100000\n"},
                {"memory.usage_in_bytes", "4096\n"},
                {"memory.max_usage_in_bytes", "8192\n"},
                {"memory.limit_in_bytes", "9223372036854771712\n"},
                {"memory.failcnt", "7\n"},
                {"memory.memsw.failcnt", "2\n"},
                {"memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n"},
                {"memory.stat", "inactive_file 1\ntotal_inactive_file 77\n"},
                {"pids.current", "3\n"},
                {"pids.max", "max\n"}});
  Group job = group(CgroupVersion::kV1, "job");
  ASSERT_EQ(job.read(Depth::kFullWithLimits, reading_).value(), Seen::kRead);
  EXPECT_EQ(reading_.version, CgroupVersion::kV1);
  EXPECT_EQ(*reading_.cpu_usage_usec, 2500U);
  EXPECT_EQ(*reading_.throttled_usec, 700U);
  EXPECT_EQ(*reading_.memory_bytes, 4096U);
  EXPECT_EQ(*reading_.memory_peak_bytes, 8192U);
  EXPECT_EQ(*reading_.memory_limit_hits, 9U);
  EXPECT_EQ(*reading_.oom_kills, 5U);
  EXPECT_EQ(*reading_.cpu_period_usec, 100'000U);
  EXPECT_EQ(reading_.cpu_quota_usec.absence(), Absence::kNoLimit);
  EXPECT_EQ(reading_.memory_limit_bytes.absence(), Absence::kNoLimit);
  EXPECT_EQ(reading_.pids_limit.absence(), Absence::kNoLimit);
  EXPECT_EQ(reading_.ooms.absence(), Absence::kNoFile);
  EXPECT_EQ(reading_.pids_peak.absence(), Absence::kNoFile);
  EXPECT_EQ(reading_.pids_limit_hits.absence(), Absence::kNoFile);
  EXPECT_EQ(*job.read_inactive_file().value(), 77U);
}

TEST_F(FakeGroups, WhatTheKernelDoesNotOfferIsAbsentAndSaysWhy) {
  files("job", {{"cpu.stat", "usage_usec 1\nuser_usec 1\nsystem_usec 0\n"},
                {"memory.current", "7\n"},
                {"memory.events", "low 0\nmax 0\noom 3\n"},
                {"pids.current", "many\n"}});
  ASSERT_EQ(group(CgroupVersion::kV2, "job").read(Depth::kFullWithLimits, reading_).value(), Seen::kRead);
  EXPECT_EQ(*reading_.cpu_usage_usec, 1U);
  EXPECT_EQ(reading_.throttled_usec.absence(), Absence::kNoKey) << "the cpu controller is not enabled";
  EXPECT_EQ(reading_.oom_kills.absence(), Absence::kNoKey);
  EXPECT_FALSE(reading_.oom_kills);
  EXPECT_EQ(reading_.memory_peak_bytes.absence(), Absence::kNoFile);
  EXPECT_EQ(reading_.ooms.absence(), Absence::kNoFile);
  EXPECT_EQ(reading_.pids.absence(), Absence::kMalformed);
}

TEST_F(FakeGroups, ALightReadingReadsTwoFiguresAndNoMore) {
  files("job", kV2Files);
  Group job = group(CgroupVersion::kV2, "job");
  ASSERT_TRUE(job.read(Depth::kFullWithLimits, reading_));
  ASSERT_TRUE(job.read(Depth::kLight, reading_));
  EXPECT_EQ(*reading_.memory_bytes, 4096U);
  EXPECT_EQ(*reading_.cpu_usage_usec, 2500U);
  EXPECT_EQ(reading_.oom_kills.absence(), Absence::kNotRead);
  EXPECT_EQ(reading_.memory_limit_bytes.absence(), Absence::kNotRead);
}

TEST_F(FakeGroups, AFullReadingLeavesTheLimitsAsTheyWereKnown) {
  files("job", kV2Files);
  Group job = group(CgroupVersion::kV2, "job");
  ASSERT_TRUE(job.read(Depth::kFullWithLimits, reading_));
  files("job", {{"cpu.max", "10000 100000\n"}, {"memory.peak", "9000\n"}});
  ASSERT_TRUE(job.read(Depth::kFull, reading_));
  EXPECT_EQ(*reading_.cpu_quota_usec, 50'000U);
  EXPECT_EQ(*reading_.memory_peak_bytes, 9000U);
  ASSERT_TRUE(job.read(Depth::kFullWithLimits, reading_));
  EXPECT_EQ(*reading_.cpu_quota_usec, 10'000U);
}

TEST_F(FakeGroups, BeyondTheBudgetGroupsAreReadByName) {
  files("a", kV2Files);
  files("b", kV2Files);
  const OpenPlaces& all = places(CgroupVersion::kV2);
  DescriptorBudget three(3);
  auto a = Group::open(all, "a", three);
  auto b = Group::open(all, "b", three);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(a->read(Depth::kLight, reading_).value(), Seen::kRead);
    ASSERT_EQ(b->read(Depth::kLight, reading_).value(), Seen::kRead);
    EXPECT_EQ(*reading_.memory_bytes, 4096U);
    EXPECT_EQ(*reading_.cpu_usage_usec, 2500U);
  }
  EXPECT_EQ(a->kept_descriptors(), 2U);
  EXPECT_EQ(b->kept_descriptors(), 1U);
  EXPECT_EQ(three.used(), 3U);
  {
    const Group moved = std::move(*a);
    EXPECT_EQ(three.used(), 3U);
  }
  EXPECT_EQ(three.used(), 1U);
  ASSERT_TRUE(b->read(Depth::kLight, reading_));
  EXPECT_EQ(b->kept_descriptors(), 2U) << "what was given back is used";
}

TEST_F(FakeGroups, WithoutABudgetTooANameThatIsReusedIsAnotherGroup) {
  files("job", kV2Files);
  const OpenPlaces& all = places(CgroupVersion::kV2);
  DescriptorBudget none(0);
  auto first = Group::open(all, "job", none);
  fs::rename(root_ / "job", root_ / "old");
  EXPECT_EQ(first->read(Depth::kLight, reading_).value(), Seen::kEnded);
  files("job", kV2Files);
  EXPECT_EQ(first->read(Depth::kLight, reading_).value(), Seen::kEnded);
  EXPECT_FALSE(reading_.memory_bytes) << "a reading that was none changes nothing";
  EXPECT_EQ(first->read_inactive_file().error().code, base::Code::kNotFound);
  EXPECT_EQ(first->open_directory(sys::Controller::kMemory).error().code, base::Code::kNotFound);
  const auto second = Group::open(all, "job", none);
  EXPECT_NE(second->identity(), first->identity());
}

TEST_F(FakeGroups, WhatIsNoNameOfAGroupIsRefused) {
  for (const char* name : {"", ".", "..", "a/b", "../x"}) {
    EXPECT_EQ(Group::open(places(CgroupVersion::kV2), name, budget_).error().code, base::Code::kInvalid) << name;
  }
  const auto missing = Group::open(places(CgroupVersion::kV2), "job", budget_);
  EXPECT_EQ(missing.error().code, base::Code::kNotFound);
  EXPECT_NE(missing.error().text().find(root_.string()), std::string::npos) << missing.error().text();
}

TEST(DescriptorBudget, NeverExceedsWhatTheKernelAllowsThisProcess) {
  EXPECT_LT(DescriptorBudget(SIZE_MAX).most(), SIZE_MAX);
  EXPECT_EQ(DescriptorBudget(5).most(), 5U);
}

}  // namespace
}  // namespace outrigger::probe
