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

}  // namespace
}  // namespace outrigger::jail
