#include "config/identity.h"

#include <gtest/gtest.h>

namespace outrigger::config {
namespace {

TEST(Identity, IsTheIdBelowTheJailsUnlessNamed) {
  Config config;
  const auto identity = resolve_identity(config);
  ASSERT_TRUE(identity.has_value());
  EXPECT_EQ(identity->uid, config.jail.uid_base - 1);
  config.user = "4711";
  EXPECT_EQ(resolve_identity(config)->uid, 4711U);
  config.user = "nobody";
  EXPECT_EQ(resolve_identity(config)->uid, 65534U);
}

TEST(Identity, IsNeverRootNorAJailsNorUnknown) {
  Config config;
  for (const std::string user : {"root", "0", "no-such-user-here"}) {
    config.user = user;
    EXPECT_FALSE(resolve_identity(config).has_value()) << user;
  }
  config.user = std::to_string(config.jail.uid_base);
  EXPECT_FALSE(resolve_identity(config).has_value());
  config.user = std::to_string(config.jail.uid_base + kJailIds - 1);
  EXPECT_FALSE(resolve_identity(config).has_value());
  config.user = std::to_string(config.jail.uid_base + kJailIds);
  EXPECT_TRUE(resolve_identity(config).has_value());
}

}  // namespace
}  // namespace outrigger::config
