#include "outriggerd/state_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace outrigger::outriggerd {
namespace {

namespace fs = std::filesystem;

class StateDir : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/state-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
    paths_.run_dir = paths_.lib_dir = dir_ / "a/b";
  }
  void TearDown() override { fs::remove_all(dir_); }

  fs::path dir_;
  config::Paths paths_;
  Identity self_{::geteuid(), ::getegid()};
};

TEST_F(StateDir, IsMadeWithWhatIsMissing) {
  const auto dirs = prepare_state_dirs(paths_, self_);
  ASSERT_TRUE(dirs.has_value()) << dirs.error().text();
  EXPECT_TRUE(fs::is_directory(paths_.run_dir / "jobs"));
  EXPECT_TRUE(fs::is_directory(paths_.run_dir / "terminations"));
  const base::UniqueFd file(::openat(dirs->jobs.get(), "x", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  EXPECT_TRUE(file.valid());
  EXPECT_TRUE(fs::exists(paths_.run_dir / "jobs/x"));
}

TEST_F(StateDir, ItsDirectoriesBelongToTheDaemonAlone) {
  const Identity other = self_.uid == 0 ? Identity{12345, 12346} : self_;
  const auto dirs = prepare_state_dirs(paths_, other);
  ASSERT_TRUE(dirs.has_value()) << dirs.error().text();
  for (const base::UniqueFd* each : {&dirs->jobs, &dirs->terminations, &dirs->audit, &dirs->queue}) {
    struct stat info{};
    ASSERT_EQ(::fstat(each->get(), &info), 0);
    EXPECT_EQ(info.st_uid, other.uid);
    EXPECT_EQ(info.st_gid, other.gid);
    EXPECT_EQ(info.st_mode & 07777U, 0750U);
  }
  struct stat tokens{};
  ASSERT_EQ(::fstat(dirs->tokens.get(), &tokens), 0);
  EXPECT_EQ(tokens.st_uid, self_.uid) << "to be read, not written";
  EXPECT_EQ(tokens.st_gid, other.gid);
  EXPECT_EQ(tokens.st_mode & 07777U, 02750U) << "a file laid there is the daemon's to read";
}

TEST_F(StateDir, IsNotSharedByTwoDaemons) {
  auto first = prepare_state_dirs(paths_, self_);
  ASSERT_TRUE(first.has_value());
  const auto second = prepare_state_dirs(paths_, self_);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, base::Code::kConflict);
  EXPECT_NE(second.error().context.find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().context;
  first->lock.reset();
  EXPECT_TRUE(prepare_state_dirs(paths_, self_).has_value()) << "what a dead daemon held is free";
}

TEST_F(StateDir, GivesAwayNothingThroughASymbolicLink) {
  fs::create_directories(paths_.run_dir);
  fs::create_directories(dir_ / "elsewhere");
  fs::create_directory_symlink(dir_ / "elsewhere", paths_.run_dir / "jobs");
  const auto dirs = prepare_state_dirs(paths_, self_);
  ASSERT_FALSE(dirs.has_value());
  EXPECT_EQ(dirs.error().step, "open_state_dir");
}

TEST_F(StateDir, SaysWhatItCouldNotMake) {
  paths_.run_dir = "/proc/outrigger";
  const auto dirs = prepare_state_dirs(paths_, self_);
  ASSERT_FALSE(dirs.has_value());
  EXPECT_NE(dirs.error().text().find("/proc/outrigger"), std::string::npos) << dirs.error().text();
}

}  // namespace
}  // namespace outrigger::outriggerd
