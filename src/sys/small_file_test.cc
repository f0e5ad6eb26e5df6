#include "sys/small_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace outrigger::sys {
namespace {

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "file_test.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
    dir_ = base::UniqueFd(::open(pattern.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  std::string path_;
  base::UniqueFd dir_;
};

TEST_F(FileTest, ReplacedFileHasAllItsContentAndNoLeftover) {
  ASSERT_TRUE(replace_file_at(dir_.get(), "card", "first", 0644));
  ASSERT_TRUE(replace_file_at(dir_.get(), "card", "second", 0644));
  EXPECT_EQ(read_file_at(dir_.get(), "card").value(), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path_), {}), 1);
}

TEST_F(FileTest, AMissingFileSaysWhichAndWhy) {
  const auto missing = read_file_at(dir_.get(), "nowhere");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().errno_value, ENOENT);
  EXPECT_EQ(missing.error().context, "nowhere");
}

TEST_F(FileTest, AFileTooLargeForItsKindIsAnError) {
  ASSERT_TRUE(replace_file_at(dir_.get(), "big", std::string(kSmallFile + 1, 'x'), 0644));
  EXPECT_EQ(read_file_at(dir_.get(), "big").error().code, base::Code::kTooLarge);
}

TEST_F(FileTest, ReplaceDoesNotFollowALinkLaidInItsWay) {
  ASSERT_EQ(::symlinkat("/etc/hostname", dir_.get(), ".card.new"), 0);
  EXPECT_FALSE(replace_file_at(dir_.get(), "card", "x", 0644));
}

}  // namespace
}  // namespace outrigger::sys
