#include "runtime/stamp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/test_directory.h"

namespace outrigger::runtime {
namespace {

Stamp good() { return {"standard", std::string(kSuite), {"bash", "python3"}, kRecipe, "2025-01-31T09:30:00Z"}; }

TEST(Stamp, ReadsBackWhatItWrote) {
  const TestDirectory directory;
  ASSERT_TRUE(write_stamp(directory.path(), good()));
  const auto stamp = read_stamp(directory.path(), "standard");
  ASSERT_TRUE(stamp) << stamp.error().text();
  EXPECT_EQ(stamp->packages, good().packages);
  EXPECT_EQ(stamp->recipe, kRecipe);
  EXPECT_EQ(stamp->built_at, good().built_at);
}

TEST(Stamp, IsGoneAfterRemovalAndRemovalIsRepeatable) {
  const TestDirectory directory;
  ASSERT_TRUE(write_stamp(directory.path(), good()));
  EXPECT_TRUE(remove_stamp(directory.path(), "standard"));
  EXPECT_TRUE(remove_stamp(directory.path(), "standard"));
  EXPECT_EQ(read_stamp(directory.path(), "standard").error().errno_value, ENOENT);
}

TEST(Stamp, GarbageIsNoStamp) {
  for (const char* text : {"", "{", "[]", "{}", R"({"image":5})",
                           R"({"image":"a","suite":"b","packages":[1],"recipe":1,"built_at":"","complete":true})"}) {
    EXPECT_FALSE(parse_stamp(text)) << text;
  }
}

TEST(Stamp, OfAnUnfinishedImageIsRefused) {
  EXPECT_FALSE(parse_stamp(R"({"image":"a","suite":"b","packages":[],"recipe":1,"built_at":"","complete":false})"));
}

TEST(Stamp, OfAnotherImageIsRefused) {
  const TestDirectory directory;
  directory.write("other.json", stamp_to_json(good()));
  EXPECT_FALSE(read_stamp(directory.path(), "other"));
}

TEST(Stamp, HoldsASubsetOfItsPackagesOnly) {
  EXPECT_TRUE(holds(good(), {"python3"}));
  EXPECT_TRUE(holds(good(), {"python3", "bash"}));
  EXPECT_FALSE(holds(good(), {"python3", "nodejs"}));
}

TEST(Stamp, OfAnotherRecipeOrSuiteHoldsNothing) {
  Stamp older = good();
  older.recipe = kRecipe - 1;
  EXPECT_FALSE(holds(older, {"bash"}));
  Stamp other = good();
  other.suite = "trixie";
  EXPECT_FALSE(holds(other, {"bash"}));
}

}  // namespace
}  // namespace outrigger::runtime
