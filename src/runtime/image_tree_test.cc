#include "runtime/image_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "runtime/image_programs.h"
#include "runtime/test_directory.h"

namespace outrigger::runtime {
namespace {

namespace fs = std::filesystem;

struct stat status_of(const fs::path& path) {
  struct stat status{};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

mode_t mode_of(const fs::path& path) { return status_of(path).st_mode & 07777; }

TEST(StripTree, NoFileKeepsAModeThatLendsRights) {
  const TestDirectory root;
  root.write("usr/bin/su", "x");
  root.write("usr/bin/wall", "x");
  root.write("usr/share/data", "x");
  fs::create_directories(root.path() / "var/shared");
  ASSERT_EQ(::chmod((root.path() / "usr/bin/su").c_str(), 04755), 0);
  ASSERT_EQ(::chmod((root.path() / "usr/bin/wall").c_str(), 02711), 0);
  ASSERT_EQ(::chmod((root.path() / "usr/share/data").c_str(), 0660), 0);
  ASSERT_EQ(::chmod((root.path() / "var/shared").c_str(), 03777), 0);
  ASSERT_TRUE(strip_tree(root.path()));
  EXPECT_EQ(mode_of(root.path() / "usr/bin/su"), 0755U);
  EXPECT_EQ(mode_of(root.path() / "usr/bin/wall"), 0755U);
  EXPECT_EQ(mode_of(root.path() / "usr/share/data"), 0644U);
  EXPECT_EQ(mode_of(root.path() / "var/shared"), 0755U);
  EXPECT_EQ(mode_of(root.path()), 0755U);
}

TEST(StripTree, EverythingBelongsToRoot) {
  const TestDirectory root;
  root.write("opt/file", "x");
  fs::create_symlink("file", root.path() / "opt/link");
  ASSERT_EQ(::chown((root.path() / "opt/file").c_str(), 1234, 1234), 0);
  ASSERT_EQ(::lchown((root.path() / "opt/link").c_str(), 1234, 1234), 0);
  ASSERT_TRUE(strip_tree(root.path()));
  for (const char* name : {"opt/file", "opt/link"}) {
    EXPECT_EQ(status_of(root.path() / name).st_uid, 0U) << name;
    EXPECT_EQ(status_of(root.path() / name).st_gid, 0U) << name;
  }
}

TEST(StripTree, FileCapabilitiesAreGone) {
  const TestDirectory root;
  root.write("usr/bin/ping", "x");
  const fs::path ping = root.path() / "usr/bin/ping";
  vfs_cap_data capability{};
  capability.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE;
  capability.data[0].permitted = 1U << CAP_NET_RAW;
  ASSERT_EQ(::setxattr(ping.c_str(), "security.capability", &capability, sizeof capability, 0), 0);
  ASSERT_TRUE(strip_tree(root.path()));
  EXPECT_EQ(::getxattr(ping.c_str(), "security.capability", nullptr, 0), -1);
  EXPECT_EQ(errno, ENODATA);
}

TEST(StripTree, DevicesSocketsAndFifosAreGone) {
  const TestDirectory root;
  fs::create_directories(root.path() / "usr/lib");
  fs::create_directories(root.path() / "dev");
  ASSERT_EQ(::mknod((root.path() / "usr/lib/disk").c_str(), S_IFBLK | 0600, makedev(7, 0)), 0);
  ASSERT_EQ(::mknod((root.path() / "dev/null").c_str(), S_IFCHR | 0666, makedev(1, 3)), 0);
  ASSERT_EQ(::mkfifo((root.path() / "usr/lib/fifo").c_str(), 0600), 0);
  ASSERT_TRUE(strip_tree(root.path()));
  EXPECT_TRUE(fs::is_empty(root.path() / "usr/lib"));
  EXPECT_TRUE(fs::is_empty(root.path() / "dev"));
}

TEST(StripTree, KeepsThePackageDatabaseAndCopyrightAndDropsWhatIsNotNeeded) {
  const TestDirectory root;
  root.write("var/lib/dpkg/status", "Package: bash\n");
  root.write("var/lib/dpkg/info/bash.list", "x");
  root.write("usr/share/doc/bash/copyright", "x");
  root.write("usr/share/doc/bash/changelog.gz", "x");
  root.write("etc/shadow", "root:secret:");
  root.write("var/cache/apt/archives/a.deb", "x");
  root.write("var/log/dpkg.log", "x");
  root.write("tmp/left", "x");
  ASSERT_TRUE(strip_tree(root.path()));
  EXPECT_EQ(root.read("var/lib/dpkg/status"), "Package: bash\n");
  EXPECT_TRUE(fs::exists(root.path() / "usr/share/doc/bash/copyright"));
  for (const char* name : {"var/lib/dpkg/info", "usr/share/doc/bash/changelog.gz", "etc/shadow", "var/cache/apt",
                           "var/log/dpkg.log", "tmp/left"}) {
    EXPECT_FALSE(fs::exists(root.path() / name)) << name;
  }
}

TEST(StripTree, FollowsNoSymbolicLinkOutOfTheTree) {
  const TestDirectory outside;
  outside.write("doc/file", "mine");
  outside.write("target", "mine");
  ASSERT_EQ(::chmod((outside.path() / "target").c_str(), 0600), 0);
  const TestDirectory root;
  fs::create_directories(root.path() / "var");
  fs::create_directories(root.path() / "usr/share/doc");
  fs::create_directory_symlink(outside.path() / "doc", root.path() / "var/cache");
  fs::create_directory_symlink(outside.path() / "doc", root.path() / "usr/share/doc/linked");
  fs::create_directory_symlink(outside.path(), root.path() / "sys");
  fs::create_symlink(outside.path() / "target", root.path() / "link");
  ASSERT_TRUE(strip_tree(root.path()));
  EXPECT_EQ(outside.read("doc/file"), "mine");
  EXPECT_EQ(outside.read("target"), "mine");
  EXPECT_EQ(mode_of(outside.path() / "target"), 0600U);
  EXPECT_FALSE(fs::is_symlink(fs::symlink_status(root.path() / "sys")));
}

TEST(ImageFiles, NameTheJailsUsersAndHost) {
  const TestDirectory root;
  ASSERT_TRUE(write_image_files(root.path()));
  EXPECT_THAT(root.read("etc/passwd"), testing::HasSubstr("sandbox:x:1000:1000:"));
  EXPECT_THAT(root.read("etc/group"), testing::HasSubstr("sandbox:x:1000:"));
  EXPECT_EQ(root.read("etc/hostname"), "sandbox\n");
  EXPECT_EQ(root.read("etc/resolv.conf"), "");
  EXPECT_EQ(fs::read_symlink(root.path() / "etc/localtime"), "/usr/share/zoneinfo/Etc/UTC");
  for (const char* name : {"proc", "dev", "tmp"}) EXPECT_EQ(mode_of(root.path() / name), 0755U) << name;
}

TEST(ImageFiles, AreNeverWrittenThroughALink) {
  const TestDirectory outside;
  outside.write("resolv.conf", "mine");
  const TestDirectory root;
  fs::create_directories(root.path() / "etc");
  fs::create_symlink(outside.path() / "resolv.conf", root.path() / "etc/resolv.conf");
  ASSERT_TRUE(write_image_files(root.path()));
  EXPECT_EQ(outside.read("resolv.conf"), "mine");
  EXPECT_EQ(root.read("etc/resolv.conf"), "");
}

TEST(RemoveTree, RefusesWhereSomethingIsMountedBelow) {
  const TestDirectory root;
  root.write("tree/inner/file", "x");
  const fs::path inner = root.path() / "tree/inner";
  ASSERT_EQ(::mount("none", inner.c_str(), "tmpfs", 0, "size=64k"), 0);
  const auto refused = remove_tree(root.path() / "tree");
  EXPECT_EQ(::umount(inner.c_str()), 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::kConflict);
  EXPECT_TRUE(remove_tree(root.path() / "tree"));
  EXPECT_FALSE(fs::exists(root.path() / "tree"));
  EXPECT_TRUE(remove_tree(root.path() / "tree"));
}

TEST(CheckPrograms, FollowsAbsoluteLinksInsideTheTree) {
  const TestDirectory root;
  root.write("opt/real", "x");
  fs::create_directories(root.path() / "usr/bin");
  fs::create_symlink("/opt/real", root.path() / "usr/bin/program");
  fs::create_symlink("/bin/sh", root.path() / "usr/bin/escape");
  ASSERT_EQ(::chmod((root.path() / "opt/real").c_str(), 0755), 0);
  EXPECT_TRUE(check_programs(root.path(), {"/usr/bin/program"}));
  EXPECT_FALSE(check_programs(root.path(), {"/usr/bin/escape"}));
  EXPECT_FALSE(check_programs(root.path(), {"/usr/bin/missing"}));
  EXPECT_FALSE(check_programs(root.path(), {"/usr/bin"}));
}

TEST(CheckPrograms, AFileThatIsNotExecutableIsNone) {
  const TestDirectory root;
  root.write("usr/bin/text", "x");
  ASSERT_EQ(::chmod((root.path() / "usr/bin/text").c_str(), 0644), 0);
  EXPECT_FALSE(check_programs(root.path(), {"/usr/bin/text"}));
}

}  // namespace
}  // namespace outrigger::runtime
