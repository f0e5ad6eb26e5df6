#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/image_builder.h"

namespace outrigger::runtime {
namespace {

// The definitions that are shipped, found from this source file's own place in the tree.
std::filesystem::path shipped() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "runtimes";
}

TEST(ShippedRuntimes, AreThoseOfTheDocument) {
  const auto loaded = load_definitions(shipped());
  ASSERT_TRUE(loaded) << loaded.error().text();
  std::vector<std::string> names;
  for (const Definition& definition : *loaded) {
    names.push_back(definition.runtime.name);
    EXPECT_FALSE(definition.description.empty()) << definition.runtime.name;
    const model::Runtime& runtime = definition.runtime;
    const auto& reads_code = runtime.compile.command.empty() ? runtime.command : runtime.compile.command;
    // Go's takes all files of its name's ending, and a mathematical library may follow.
    const bool named = std::ranges::find(reads_code, runtime.source_file) != reads_code.end();
    EXPECT_TRUE(named || runtime.name == "go") << runtime.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("bash", "node", "python", "c", "cpp", "go", "java", "lua", "perl", "php",
                                          "python-data", "ruby", "rust"));
}

TEST(ShippedRuntimes, ShareOneImageButForWhatIsBuiltOnDemand) {
  const auto loaded = load_definitions(shipped());
  ASSERT_TRUE(loaded);
  const auto plans = plan_images(*loaded);
  std::vector<std::string> images;
  for (const ImagePlan& plan : plans) {
    images.push_back(plan.image);
    EXPECT_EQ(plan.on_demand, plan.image != "standard") << plan.image;
  }
  EXPECT_THAT(images, testing::ElementsAre("cpp", "go", "java", "python-data", "rust", "scripts", "standard"));
  EXPECT_THAT(plans.front().programs, testing::ElementsAre("/usr/bin/g++", "/usr/bin/gcc"));
  EXPECT_FALSE(plans.back().on_demand);
  EXPECT_THAT(plans.back().packages, testing::IsSupersetOf({"bash", "coreutils", "nodejs", "python3", "tzdata"}));
  EXPECT_THAT(plans.back().programs, testing::ElementsAre("/bin/bash", "/usr/bin/node", "/usr/bin/python3"));
}

}  // namespace
}  // namespace outrigger::runtime
