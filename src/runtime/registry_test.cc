#include "runtime/registry.h"

#include <gtest/gtest.h>

#include "runtime/stamp.h"
#include "runtime/test_directory.h"

namespace outrigger::runtime {
namespace {

constexpr const char* kDefinition =
    "name = 'lua'\nimage = 'small'\npackages = ['lua5.4', 'bash']\nsource_file = 'main.lua'\ncommand = "
    "['/usr/bin/lua']\n";

class Registry : public testing::Test {
 protected:
  Registry() {
    directory_.write("runtimes/lua.toml", kDefinition);
    directory_.write("images/small/var/lib/dpkg/status",
                     "Package: lua5.4\nStatus: install ok installed\nVersion: 5.4.4-3\n\n");
  }
  void stamp(const std::vector<std::string>& packages, int recipe = kRecipe) {
    ASSERT_TRUE(write_stamp(directory_.path() / "images", {"small", std::string(kSuite), packages, recipe, "now"}));
  }
  model::InstalledRuntime only() {
    auto all = load_all(directory_.path() / "runtimes", directory_.path() / "images");
    EXPECT_TRUE(all && all->size() == 1U);
    return all && !all->empty() ? all->front() : model::InstalledRuntime{};
  }

  TestDirectory directory_;
};

TEST_F(Registry, AFinishedImageWithAllPackagesIsInstalled) {
  stamp({"bash", "lua5.4", "more"});
  EXPECT_EQ(only().image_path, std::filesystem::canonical(directory_.path() / "images/small").string());
  EXPECT_EQ(only().version, "5.4.4");
}

TEST_F(Registry, ATreeWithoutAStampIsNotInstalled) {
  EXPECT_EQ(only().runtime.name, "lua");
  EXPECT_EQ(only().image_path, "");
  EXPECT_EQ(only().version, "");
}

TEST_F(Registry, AnImageThatLacksAPackageIsNotInstalled) {
  stamp({"lua5.4"});
  EXPECT_EQ(only().image_path, "");
}

TEST_F(Registry, AnImageOfAnotherRecipeIsNotInstalled) {
  stamp({"bash", "lua5.4"}, kRecipe - 1);
  EXPECT_EQ(only().image_path, "");
}

TEST_F(Registry, AStampWithoutItsTreeIsNotInstalled) {
  stamp({"bash", "lua5.4"});
  std::filesystem::remove_all(directory_.path() / "images/small");
  EXPECT_EQ(only().image_path, "");
}

TEST_F(Registry, ABrokenDefinitionIsAnErrorForAll) {
  directory_.write("runtimes/zig.toml", "name = 'zig'\n");
  EXPECT_FALSE(load_all(directory_.path() / "runtimes", directory_.path() / "images"));
}

}  // namespace
}  // namespace outrigger::runtime
