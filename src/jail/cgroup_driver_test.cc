#include "jail/cgroup_driver.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "sys/small_file.h"

// These make real groups on the running kernel, below this process's own, and remove them.
namespace outrigger::jail {
namespace {

constexpr GroupLimits kLimits{64ULL << 20, 9, 50'000};

class CgroupDriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto driver = probe_cgroup_driver({});
    ASSERT_TRUE(driver) << driver.error().text();
    driver_ = std::move(*driver);
    name_ = "test-" + std::to_string(::getpid());
  }
  void TearDown() override {
    if (driver_) driver_->close();
  }

  std::unique_ptr<CgroupDriver> driver_;
  std::string name_;
};

TEST_F(CgroupDriverTest, AGroupIsLimitedAsAskedAndGoneAfterRemoval) {
  const auto group = driver_->make(name_, kLimits);
  ASSERT_TRUE(group) << group.error().text();
  const bool v2 = driver_->version() == sys::CgroupVersion::kV2;
  const auto memory =
      sys::read_file_at(group->dirs.dir(sys::Controller::kMemory), v2 ? "memory.max" : "memory.limit_in_bytes");
  EXPECT_EQ(memory.value(), "67108864\n");
  EXPECT_EQ(sys::read_file_at(group->dirs.dir(sys::Controller::kPids), "pids.max").value(), "9\n");
  const std::string path = driver_->root() + "/" + name_;
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_TRUE(driver_->remove(name_));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(CgroupDriverTest, RemovingWhatIsGoneIsSuccess) { EXPECT_TRUE(driver_->remove(name_)); }

TEST_F(CgroupDriverTest, ANameInUseIsRefusedAndItsGroupLeftAlone) {
  const auto first = driver_->make(name_, kLimits);
  ASSERT_TRUE(first);
  const auto second = driver_->make(name_, kLimits);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().step, "make_cgroup");
  EXPECT_TRUE(driver_->remove(name_));
}

TEST_F(CgroupDriverTest, ALimitTheKernelRefusesLeavesNoGroupBehind) {
  const auto group = driver_->make(name_, {64ULL << 20, 9, 1});
  ASSERT_FALSE(group.has_value());
  EXPECT_EQ(group.error().step, "limit_cgroup");
  EXPECT_FALSE(std::filesystem::exists(driver_->root() + "/" + name_));
}

TEST_F(CgroupDriverTest, SweepingTakesAbandonedGroupsAndSparesOwnedOnes) {
  const std::string owned = name_ + "-owned";
  const auto kept = driver_->make(owned, kLimits);
  ASSERT_TRUE(kept);
  {
    const auto dropped = driver_->make(name_, kLimits);
    ASSERT_TRUE(dropped);
  }
  driver_->sweep();
  EXPECT_FALSE(std::filesystem::exists(driver_->root() + "/" + name_));
  EXPECT_TRUE(std::filesystem::exists(driver_->root() + "/" + owned));
  EXPECT_TRUE(driver_->remove(owned));
}

TEST_F(CgroupDriverTest, AGroupWhoseLocksAreGoneIsAbandonedWhoeverReadsInIt) {
  sys::GroupDirs reader;
  {
    auto dropped = driver_->make(name_, kLimits);
    ASSERT_TRUE(dropped);
    reader = std::move(dropped->dirs);
  }
  EXPECT_TRUE(driver_->sweep_within(std::chrono::seconds{30}));
  EXPECT_FALSE(std::filesystem::exists(driver_->root() + "/" + name_));
}

TEST_F(CgroupDriverTest, SweepingSaysThatAProcessIsInTheWayAndFreesItOfItsQuota) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  const bool v2 = driver_->version() == sys::CgroupVersion::kV2;
  auto group = driver_->make(name_, kLimits);
  ASSERT_TRUE(group);
  for (const base::UniqueFd& dir : group->dirs.dirs) {
    ASSERT_TRUE(sys::write_file_at(dir.get(), v2 ? "cgroup.procs" : "tasks", std::to_string(child)));
  }
  EXPECT_TRUE(driver_->sweep_within(std::chrono::seconds{30})) << "what has an owner is not in the way";
  group->locks.clear();
  EXPECT_FALSE(driver_->sweep());
  const auto quota = sys::read_file_at(group->dirs.dir(sys::Controller::kCpu), v2 ? "cpu.max" : "cpu.cfs_quota_us");
  EXPECT_EQ(quota.value(), v2 ? "max 100000\n" : "-1\n");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(driver_->sweep_within(std::chrono::seconds{30}));
  EXPECT_FALSE(std::filesystem::exists(driver_->root() + "/" + name_));
}

}  // namespace
}  // namespace outrigger::jail
