#include "cli/collected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace outrigger::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WriteCollected : public testing::Test {
 protected:
  WriteCollected() {
    std::string pattern = (fs::temp_directory_path() / "outrigger-collected-XXXXXX").string();
    home_ = ::mkdtemp(pattern.data());
    ::umask(022);
  }
  ~WriteCollected() override { fs::remove_all(home_); }
  WriteCollected(const WriteCollected&) = delete;
  WriteCollected& operator=(const WriteCollected&) = delete;

  [[nodiscard]] std::string read(const fs::path& path) const {
    std::ostringstream out;
    out << std::ifstream(home_ / path).rdbuf();
    return out.str();
  }
  std::vector<std::string> write(const std::vector<model::CollectedFile>& files, const std::string& into = "out") {
    return write_collected(files, (home_ / into).string(), written_);
  }
  static model::CollectedFile file(std::string path, std::string content, unsigned mode = 0644) {
    return {std::move(path), std::move(content), mode, std::nullopt, std::nullopt};
  }

  fs::path home_;
  bool written_ = false;
};

TEST_F(WriteCollected, MakesWhatIsMissing) {
  EXPECT_THAT(write({file("a/b/c", std::string("\0\xff", 2)), file("d", "text", 0777)}), IsEmpty());
  EXPECT_TRUE(written_);
  EXPECT_EQ(read("out/a/b/c"), std::string("\0\xff", 2));
  EXPECT_EQ(read("out/d"), "text");
  EXPECT_EQ(fs::status(home_ / "out/d").permissions(), fs::perms(0755));
  EXPECT_EQ(std::distance(fs::directory_iterator(home_ / "out"), fs::directory_iterator()), 2);
}

TEST_F(WriteCollected, ReplacesFilesAndLinksAndFollowsNone) {
  fs::create_directories(home_ / "out");
  std::ofstream(home_ / "victim") << "old";
  std::ofstream(home_ / "out/a") << "old";
  fs::create_symlink(home_ / "victim", home_ / "out/b");
  EXPECT_THAT(write({file("a", "new"), file("b", "new")}), IsEmpty());
  EXPECT_EQ(read("out/a"), "new");
  EXPECT_EQ(read("out/b"), "new");
  EXPECT_EQ(read("victim"), "old");
}

TEST_F(WriteCollected, GoesThroughNoLink) {
  fs::create_directories(home_ / "out");
  fs::create_directories(home_ / "elsewhere");
  fs::create_symlink(home_ / "elsewhere", home_ / "out/d");
  EXPECT_THAT(write({file("d/x", "new"), file("ok", "new")}), ElementsAre(HasSubstr("d/x")));
  EXPECT_FALSE(written_);
  EXPECT_TRUE(fs::is_empty(home_ / "elsewhere"));
  EXPECT_EQ(read("out/ok"), "new");
}

TEST_F(WriteCollected, NeverLeavesTheDirectory) {
  for (const std::string& path : {std::string("../x"), std::string("/tmp/outrigger-x"), std::string("a/../../x"),
                                  std::string(""), std::string("a//b"), std::string("."), std::string("a\0b", 3)}) {
    EXPECT_EQ(write({file(path, "new")}).size(), 1U) << path;
    EXPECT_FALSE(written_);
  }
  EXPECT_FALSE(fs::exists(home_ / "x"));
}

TEST_F(WriteCollected, SaysWhatIsInTheWay) {
  fs::create_directories(home_ / "out/d/x");
  std::ofstream(home_ / "out/f") << "old";
  EXPECT_THAT(write({file("d", "new"), file("f/g", "new")}), ElementsAre(HasSubstr("d: "), HasSubstr("f/g: ")));
  EXPECT_FALSE(written_);
  EXPECT_EQ(std::distance(fs::directory_iterator(home_ / "out"), fs::directory_iterator()), 2);  // nothing left over
}

TEST_F(WriteCollected, SaysWhatWasNotCollectedWhichIsNoFailureOfOurs) {
  EXPECT_THAT(write({{"a", {}, 0, std::nullopt, model::Cause{"symlink", "is a symbolic link"}}}),
              ElementsAre("not collected: a: is a symbolic link"));
  EXPECT_TRUE(written_);
}

TEST_F(WriteCollected, WithoutFilesNothingIsMade) {
  EXPECT_THAT(write({}), IsEmpty());
  EXPECT_FALSE(fs::exists(home_ / "out"));
}

}  // namespace
}  // namespace outrigger::cli
