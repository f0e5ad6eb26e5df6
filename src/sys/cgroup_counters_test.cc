#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sys/cgroup.h"

namespace outrigger::sys {
namespace {

TEST(CgroupCounters, KeysAreMatchedExactly) {
  EXPECT_EQ(flat_key("oom 3\noom_kill 0\noom_group_kill 2\n", "oom_kill"), 0U);
  EXPECT_EQ(flat_key("oom 3\n", "oom_kill"), std::nullopt);
  EXPECT_EQ(flat_key("oom_kill\n", "oom_kill"), std::nullopt);
  EXPECT_EQ(flat_key("oom_kill x\n", "oom_kill"), std::nullopt);
}

TEST(CgroupCounters, MaxIsNoNumber) {
  EXPECT_EQ(single_value("max\n"), std::nullopt);
  EXPECT_EQ(single_value("42\n"), 42U);
  EXPECT_EQ(single_value(""), std::nullopt);
}

class FakeGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "group.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  void file(const std::string& name, const std::string& text) const { std::ofstream(path_ + "/" + name) << text; }
  [[nodiscard]] GroupDirs open(CgroupVersion version, std::size_t count) const {
    GroupDirs group{version, {}};
    for (std::size_t i = 0; i < count; ++i) {
      group.dirs.emplace_back(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    return group;
  }
  std::string path_;
};

TEST_F(FakeGroup, V2IsReadInMicroseconds) {
  file("cpu.stat", "usage_usec 2500\nnr_periods 4\nnr_throttled 1\nthrottled_usec 700\n");
  file("memory.events", "low 0\nmax 9\noom 3\noom_kill 1\n");
  file("memory.peak", "4096\n");
  file("pids.events", "max 2\n");
  const Counters counters = read_counters(open(CgroupVersion::kV2, 1));
  EXPECT_EQ(counters.cpu_usage, std::chrono::microseconds(2500));
  EXPECT_EQ(counters.throttled, std::chrono::microseconds(700));
  EXPECT_EQ(counters.oom_kills, 1U);
  EXPECT_EQ(counters.memory_limit_hits, 9U);
  EXPECT_EQ(counters.memory_peak, 4096U);
  EXPECT_EQ(counters.pids_limit_hits, 2U);
  EXPECT_EQ(counters.pids_peak, std::nullopt);
}

TEST_F(FakeGroup, V1IsInNanosecondsInTheFilesAndMicrosecondsHere) {
  file("cpuacct.usage", "2500000\n");
  file("cpu.stat", "nr_periods 4\nnr_throttled 1\nthrottled_time 700000\n");
  file("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  const Counters counters = read_counters(open(CgroupVersion::kV1, 4));
  EXPECT_EQ(counters.cpu_usage, std::chrono::microseconds(2500));
  EXPECT_EQ(counters.throttled, std::chrono::microseconds(700));
  EXPECT_EQ(counters.oom_kills, 5U);
}

TEST_F(FakeGroup, WhatTheKernelDoesNotOfferIsAbsentNotZero) {
  file("cpu.stat", "usage_usec 1\n");
  const Counters counters = read_counters(open(CgroupVersion::kV2, 1));
  EXPECT_EQ(counters.throttled, std::nullopt);
  EXPECT_EQ(counters.oom_kills, std::nullopt);
  EXPECT_EQ(counters.memory_peak, std::nullopt);
}

}  // namespace
}  // namespace outrigger::sys
