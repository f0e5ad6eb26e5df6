#include "pool/catalogue.h"

#include <gtest/gtest.h>

namespace outrigger::pool {
namespace {

model::InstalledRuntime runtime(std::string name, std::string image, std::vector<std::string> aliases = {}) {
  model::InstalledRuntime one;
  one.runtime.name = std::move(name);
  one.runtime.aliases = std::move(aliases);
  one.image_path = std::move(image);
  return one;
}

TEST(Catalogue, FindsThoseThatHaveAnImageByTheJailersIndex) {
  std::vector<model::InstalledRuntime> all;
  all.push_back(runtime("cpp", ""));
  all.push_back(runtime("bash", "/images/base"));
  all.push_back(runtime("python", "/images/base", {"py"}));
  const Catalogue catalogue(std::move(all));
  EXPECT_EQ(catalogue.all().size(), 3U);
  ASSERT_EQ(catalogue.available().size(), 2U);
  EXPECT_FALSE(catalogue.find("cpp").has_value()) << "it has no image";
  EXPECT_FALSE(catalogue.find("cobol").has_value());
  for (const char* name : {"python", "py"}) {
    const auto found = catalogue.find(name);
    ASSERT_TRUE(found.has_value()) << name;
    EXPECT_EQ(found->jailer_index, 1U);
    EXPECT_EQ(found->installed->runtime.name, "python");
    EXPECT_EQ(&found->installed->runtime, catalogue.available().at(found->jailer_index));
  }
}

}  // namespace
}  // namespace outrigger::pool
