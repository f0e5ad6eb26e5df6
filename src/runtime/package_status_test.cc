#include "runtime/package_status.h"

#include <gtest/gtest.h>

namespace outrigger::runtime {
namespace {

constexpr std::string_view kStatus =
    "Package: python3\nStatus: install ok installed\nDescription: x\n Package: trap\n Version: 9\nVersion: "
    "3.11.2-1+b1\n\n"
    "Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n"
    "Package: nodejs\nStatus: install ok installed\nVersion: 18.20.4+dfsg-1~deb12u2\n";

TEST(PackageStatus, FindsTheVersionOfAnInstalledPackage) {
  EXPECT_EQ(package_version(kStatus, "python3"), "3.11.2-1+b1");
  EXPECT_EQ(package_version(kStatus, "nodejs"), "18.20.4+dfsg-1~deb12u2");
}

TEST(PackageStatus, AContinuationLineIsNoField) { EXPECT_EQ(package_version(kStatus, "trap"), ""); }
TEST(PackageStatus, ARemovedPackageHasNoVersion) { EXPECT_EQ(package_version(kStatus, "gone"), ""); }
TEST(PackageStatus, ANameIsNotMatchedByItsPrefix) { EXPECT_EQ(package_version(kStatus, "node"), ""); }
TEST(PackageStatus, AnEmptyDatabaseHoldsNothing) { EXPECT_EQ(package_version("", "bash"), ""); }

TEST(UpstreamVersion, LeavesDebiansPartsOut) {
  EXPECT_EQ(upstream_version("3.11.2-1+b1"), "3.11.2");
  EXPECT_EQ(upstream_version("18.20.4+dfsg-1~deb12u2"), "18.20.4");
  EXPECT_EQ(upstream_version("1:2.5-rc1-3"), "2.5-rc1");
  EXPECT_EQ(upstream_version("7"), "7");
  EXPECT_EQ(upstream_version(""), "");
}

}  // namespace
}  // namespace outrigger::runtime
