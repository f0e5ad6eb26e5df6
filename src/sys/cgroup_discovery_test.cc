#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sys/cgroup.h"

namespace outrigger::sys {
namespace {

using ::testing::ElementsAre;

TEST(CgroupDiscovery, FindsEachV1HierarchyAndOnesOwnGroupInIt) {
  const auto found = parse_hierarchies(
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
      "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:3 - cgroup cgroup rw,memory\n"
      "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
      "9:name=systemd:/\n4:memory:/build/7\n2:cpu,cpuacct:/\n0::/x\n");
  ASSERT_NE(found.find_v1("memory"), nullptr);
  EXPECT_EQ(found.find_v1("memory")->own_group, "/sys/fs/cgroup/memory/build/7");
  EXPECT_EQ(found.find_v1("cpuacct")->own_group, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(found.find_v1("pids"), nullptr);
  ASSERT_TRUE(found.unified);
  EXPECT_EQ(found.unified->own_group, "/sys/fs/cgroup/unified/x");
}

TEST(CgroupDiscovery, AContainerSeesItsGroupRelativeToTheMountedPart) {
  const auto found = parse_hierarchies("35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
                                       "4:memory:/docker/abc/job\n");
  EXPECT_EQ(found.find_v1("memory")->own_group, "/sys/fs/cgroup/memory/job");
}

TEST(CgroupDiscovery, EscapedMountPointsAreDecoded) {
  const auto found = parse_hierarchies("35 31 0:32 / /mnt/a\\040b rw - cgroup2 none rw\n", "0::/\n");
  EXPECT_EQ(found.unified->mount_point, "/mnt/a b");
}

TEST(CgroupDiscovery, NonsenseYieldsNothing) {
  const auto found = parse_hierarchies("rubbish\n1 2 - \n", "rubbish\n::\n");
  EXPECT_FALSE(found.unified);
  EXPECT_THAT(found.v1, ElementsAre());
}

}  // namespace
}  // namespace outrigger::sys
