#include "runtime/image_builder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/build_lock.h"
#include "runtime/mmdebstrap.h"
#include "runtime/stamp.h"
#include "runtime/test_directory.h"

namespace outrigger::runtime {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

// Stands in for mmdebstrap: makes a tree with one program and the marker it finds in $TMPDIR/marker. It takes the
// target as mmdebstrap does: the argument that ends in /root.
constexpr const char* kInstaller =
    "#!/bin/sh\nset -e\nfor a in \"$@\"; do case $a in */root) root=$a;; esac; done\n"
    "mkdir -p $root/usr/bin $root/etc\nprintf x > $root/usr/bin/lua\nchmod 4755 $root/usr/bin/lua\n"
    "cp ${0%/*}/marker $root/etc/marker\necho 'I: success' >&2\n";

class ImageBuilder : public testing::Test {
 protected:
  ImageBuilder() {
    install(kInstaller);
    directory_.write("marker", "first");
  }
  void install(const std::string& script) {
    directory_.write("mmdebstrap", script);
    EXPECT_EQ(::chmod((directory_.path() / "mmdebstrap").c_str(), 0755), 0);
  }
  BuildOptions options() {
    BuildOptions options;
    options.images_dir = directory_.path() / "images";
    options.mmdebstrap = (directory_.path() / "mmdebstrap").string();
    options.archive = [](std::string_view suite) {
      return Archive{{"deb http://m/ " + std::string(suite) + " main"}, {}};
    };
    options.progress = [this](std::string_view line) { lines_.emplace_back(line); };
    return options;
  }
  std::string marker() { return directory_.read("images/small/etc/marker"); }
  std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(directory_.path() / "images"))
      out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

  const ImagePlan plan_{"small", {"bash", "lua5.4"}, {"/usr/bin/lua"}};
  TestDirectory directory_;
  std::vector<std::string> lines_;
};

TEST_F(ImageBuilder, LeavesAStrippedTreeAndItsStamp) {
  const auto built = build_image(plan_, options());
  ASSERT_TRUE(built) << built.error().text();
  EXPECT_EQ(*built, BuildResult::kBuilt);
  EXPECT_THAT(names(), testing::ElementsAre(".small.lock", "small", "small.json"));
  EXPECT_EQ(fs::status(directory_.path() / "images/small/usr/bin/lua").permissions(), fs::perms(0755));
  EXPECT_EQ(directory_.read("images/small/etc/hostname"), "sandbox\n");
  const auto stamp = read_stamp(directory_.path() / "images", "small");
  ASSERT_TRUE(stamp);
  EXPECT_EQ(stamp->packages, plan_.packages);
  EXPECT_THAT(lines_, Contains("mmdebstrap: success"));
}

TEST_F(ImageBuilder, AnImageThatIsUpToDateIsLeftAlone) {
  ASSERT_TRUE(build_image(plan_, options()));
  directory_.write("marker", "second");
  EXPECT_EQ(build_image(plan_, options()).value(), BuildResult::kUpToDate);
  EXPECT_EQ(marker(), "first");
}

TEST_F(ImageBuilder, ForceAndAnotherSetOfPackagesReplaceIt) {
  ASSERT_TRUE(build_image(plan_, options()));
  directory_.write("marker", "second");
  BuildOptions forced = options();
  forced.force = true;
  EXPECT_EQ(build_image(plan_, forced).value(), BuildResult::kBuilt);
  EXPECT_EQ(marker(), "second");
  directory_.write("marker", "third");
  ImagePlan fewer = plan_;
  fewer.packages = {"lua5.4"};
  EXPECT_EQ(build_image(fewer, options()).value(), BuildResult::kBuilt);
  EXPECT_EQ(marker(), "third");
  EXPECT_THAT(names(), testing::ElementsAre(".small.lock", "small", "small.json"));
}

TEST_F(ImageBuilder, AFailedBuildKeepsTheOldImageAndSaysWhy) {
  ASSERT_TRUE(build_image(plan_, options()));
  install("#!/bin/sh\nfor a in \"$@\"; do case $a in */root) mkdir $a;; esac; done\necho 'E: no space' >&2\nexit 25\n");
  BuildOptions forced = options();
  forced.force = true;
  const auto built = build_image(plan_, forced);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().step, "install_packages");
  EXPECT_THAT(built.error().context, testing::AllOf(HasSubstr("status 25"), HasSubstr("E: no space")));
  EXPECT_EQ(marker(), "first");
  EXPECT_THAT(names(), testing::ElementsAre(".small.lock", "small", "small.json"));
}

TEST_F(ImageBuilder, AnImageWithoutTheRuntimesProgramIsNotInstalled) {
  ImagePlan plan = plan_;
  plan.programs.emplace_back("/usr/bin/ruby");
  const auto built = build_image(plan, options());
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().context, HasSubstr("/usr/bin/ruby"));
  EXPECT_THAT(names(), testing::ElementsAre(".small.lock"));
}

TEST_F(ImageBuilder, WithoutMmdebstrapTheRemedyIsNamed) {
  BuildOptions none = options();
  none.mmdebstrap = "/nonexistent/mmdebstrap";
  const auto built = build_image(plan_, none);
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().context, HasSubstr("apt-get install mmdebstrap"));
}

TEST_F(ImageBuilder, WhatAKilledBuildLeftIsCleared) {
  directory_.write("images/.small.building/root/etc/half", "x");
  ASSERT_TRUE(build_image(plan_, options()));
  EXPECT_FALSE(fs::exists(directory_.path() / "images/small/etc/half"));
  EXPECT_THAT(names(), testing::ElementsAre(".small.lock", "small", "small.json"));
}

TEST_F(ImageBuilder, ASecondBuildWaitsForTheFirstAndFindsItsWorkDone) {
  fs::create_directories(options().images_dir);
  auto lock = lock_image(options().images_dir, "small", [](std::string_view) {});
  ASSERT_TRUE(lock);
  BuildOptions waiting = options();
  waiting.progress = [&](std::string_view line) {
    lines_.emplace_back(line);
    if (line.find("waiting") == std::string_view::npos) return;
    // The holder finishes the very image and lets go.
    fs::create_directories(directory_.path() / "images/small");
    EXPECT_TRUE(
        write_stamp(directory_.path() / "images", {"small", std::string(kSuite), plan_.packages, kRecipe, "now"}));
    lock->reset();
  };
  EXPECT_EQ(build_image(plan_, waiting).value(), BuildResult::kUpToDate);
  EXPECT_EQ(lines_.size(), 1U);
}

// A builder that is killed must not leave its installer running beside the next one.
TEST_F(ImageBuilder, TheInstallerEndsWithIt) {
  install("#!/bin/sh\necho \"I: pid $$\" >&2\nexec sleep 1000\n");
  int lines[2];
  ASSERT_EQ(::pipe2(lines, O_CLOEXEC), 0);
  const pid_t builder = ::fork();
  if (builder == 0) {
    BuildOptions slow = options();
    slow.progress = [&](std::string_view line) {
      if (line.find(": pid ") != std::string_view::npos)
        ::_exit(::write(lines[1], line.data(), line.size()) > 0 ? 0 : 1);
    };
    (void)build_image(plan_, slow);
    ::_exit(2);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(builder, &status, 0), builder);
  ASSERT_EQ(status, 0);
  std::string line(64, '\0');
  ASSERT_GT(::read(lines[0], line.data(), line.size()), 0);
  const std::string process = "/proc/" + std::to_string(std::strtol(line.c_str() + line.rfind(' '), nullptr, 10));
  for (int i = 0; i < 500 && fs::exists(process); ++i) ::usleep(10'000);
  EXPECT_FALSE(fs::exists(process));
}

TEST(PlanImages, UniteThePackagesOfAllRuntimesOfAnImage) {
  Definition one;
  one.runtime = {"a", {}, "x", {"p2", "p1"}, "f", {"/bin/a"}, {}, {}};
  Definition two = one;
  two.runtime.packages = {"p3", "p1"};
  two.runtime.command = {"/bin/b"};
  Definition other = one;
  other.runtime.image = "y";
  const auto plans = plan_images({one, two, other});
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_THAT(plans[0].packages, testing::ElementsAre("p1", "p2", "p3"));
  EXPECT_THAT(plans[0].programs, testing::ElementsAre("/bin/a", "/bin/b"));
  EXPECT_EQ(plans[1].image, "y");
}

TEST(Bootstrap, PassesSourcesAndPackagesAsSingleArguments) {
  const auto argv = bootstrap_command(
      {"/usr/bin/mmdebstrap", "/images/.a.building", {"bash", "g++"}, {{"deb http://m/ s main"}, ""}});
  EXPECT_THAT(argv, Contains("--include=usr-is-merged,bash,g++"));
  EXPECT_THAT(argv, Contains("/images/.a.building/root"));
  EXPECT_EQ(argv.back(), "deb http://m/ s main");
}

}  // namespace
}  // namespace outrigger::runtime
