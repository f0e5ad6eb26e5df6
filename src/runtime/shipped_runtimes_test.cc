#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/image_builder.h"

namespace outrigger::runtime {
namespace {

// The definitions that are shipped, found from this source file's own place in the tree.
std::filesystem::path shipped() {
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "runtimes";
}

TEST(ShippedRuntimes, AreBashNodeAndPython) {
  const auto loaded = load_definitions(shipped());
  ASSERT_TRUE(loaded) << loaded.error().text();
  std::vector<std::string> names;
  for (const Definition& definition : *loaded) {
    names.push_back(definition.runtime.name);
    EXPECT_FALSE(definition.description.empty()) << definition.runtime.name;
    EXPECT_EQ(definition.runtime.command.back(), definition.runtime.source_file) << definition.runtime.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("bash", "node", "python", "python-data"));
}

TEST(ShippedRuntimes, ShareOneImageButForWhatIsBuiltOnDemand) {
  const auto loaded = load_definitions(shipped());
  ASSERT_TRUE(loaded);
  const auto plans = plan_images(*loaded);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans.front().image, "python-data");
  EXPECT_TRUE(plans.front().on_demand);
  EXPECT_EQ(plans.back().image, "standard");
  EXPECT_FALSE(plans.back().on_demand);
  EXPECT_THAT(plans.back().packages, testing::IsSupersetOf({"bash", "coreutils", "nodejs", "python3", "tzdata"}));
  EXPECT_THAT(plans.back().programs, testing::ElementsAre("/bin/bash", "/usr/bin/node", "/usr/bin/python3"));
}

}  // namespace
}  // namespace outrigger::runtime
