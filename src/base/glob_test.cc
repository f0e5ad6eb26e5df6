#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace outrigger::base {
namespace {

constexpr std::size_t kPlenty = 1U << 20;

bool matches(const std::string& pattern, const std::string& path) {
  EXPECT_EQ(Glob::fault(pattern), "") << pattern;
  std::size_t budget = kPlenty;
  return Glob(pattern).matches(path, budget);
}

bool reaches(const std::string& pattern, const std::string& directory) {
  std::size_t budget = kPlenty;
  return Glob(pattern).reaches_below(directory, budget);
}

TEST(Glob, NamesAFileByItsName) {
  EXPECT_TRUE(matches("out.txt", "out.txt"));
  EXPECT_TRUE(matches("a/b/c", "a/b/c"));
  EXPECT_FALSE(matches("out.txt", "out_txt"));
  EXPECT_FALSE(matches("a", "a/b"));
  EXPECT_FALSE(matches("a/b", "a"));
  EXPECT_FALSE(matches("b", "a/b"));
}

TEST(Glob, AStarStaysWithinItsPart) {
  EXPECT_TRUE(matches("*", "x"));
  EXPECT_TRUE(matches("*", ".hidden"));
  EXPECT_TRUE(matches("out/*.csv", "out/.csv"));
  EXPECT_TRUE(matches("out/*.csv", "out/a.b.csv"));
  EXPECT_TRUE(matches("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(matches("a**b", "aXb"));
  EXPECT_FALSE(matches("*", "a/b"));
  EXPECT_FALSE(matches("out/*.csv", "out/deep/a.csv"));
  EXPECT_FALSE(matches("*a*b", "xxaxxbx"));
}

TEST(Glob, AQuestionMarkIsOneCharacterNotOneByte) {
  EXPECT_TRUE(matches("?", "a"));
  EXPECT_TRUE(matches("?", "\u00e9"));
  EXPECT_TRUE(matches("x?y", "x\U0001F600y"));
  EXPECT_FALSE(matches("?", ""));
  EXPECT_FALSE(matches("?", "ab"));
}

TEST(Glob, BytesThatAreNoTextAreCharactersToo) {
  EXPECT_TRUE(matches("a*", "a\xff\xfe"));
  EXPECT_TRUE(matches("a?", "a\xff"));
}

TEST(Glob, Brackets) {
  EXPECT_TRUE(matches("f[0-9]", "f7"));
  EXPECT_TRUE(matches("f[!0-9]", "fx"));
  EXPECT_TRUE(matches("f[^0-9]", "fx"));
  EXPECT_TRUE(matches("[]x]", "]"));
  EXPECT_TRUE(matches("[a-]", "-"));
  EXPECT_TRUE(matches("[*]", "*"));
  EXPECT_TRUE(matches("[\u00e0-\u00ef]", "\u00e9"));
  EXPECT_FALSE(matches("f[0-9]", "fx"));
  EXPECT_FALSE(matches("f[!0-9]", "f7"));
  EXPECT_FALSE(matches("[*]", "x"));
  EXPECT_FALSE(matches("[!a]", ""));
}

TEST(Glob, TwoStarsAreAnyNumberOfParts) {
  EXPECT_TRUE(matches("**", "a"));
  EXPECT_TRUE(matches("**", "a/b/c"));
  EXPECT_TRUE(matches("**/*.csv", "a.csv"));
  EXPECT_TRUE(matches("**/*.csv", "x/y/a.csv"));
  EXPECT_TRUE(matches("a/**/z", "a/z"));
  EXPECT_TRUE(matches("a/**/z", "a/b/c/z"));
  EXPECT_TRUE(matches("a/**/b/**/c", "a/x/b/b/y/c"));
  EXPECT_FALSE(matches("a/**/z", "b/z"));
  EXPECT_FALSE(matches("**/*.csv", "x/y/a.txt"));
}

TEST(Glob, KnowsWhetherItMayReachBelowADirectory) {
  EXPECT_TRUE(reaches("**", "a/b"));
  EXPECT_TRUE(reaches("a/*/c", "a/b"));
  EXPECT_TRUE(reaches("a/b", ""));
  EXPECT_TRUE(reaches("a/**", "a"));
  EXPECT_FALSE(reaches("a/b", "a/b"));
  EXPECT_FALSE(reaches("*.csv", "a"));
  EXPECT_FALSE(reaches("a/b/c", "x"));
}

TEST(Glob, IsLiteralWithoutWildcards) {
  EXPECT_TRUE(Glob("a/b.txt").is_literal());
  EXPECT_FALSE(Glob("a/*.txt").is_literal());
  EXPECT_FALSE(Glob("**/a").is_literal());
  EXPECT_FALSE(Glob("[a]").is_literal());
}

TEST(Glob, TellsWhatIsWrong) {
  for (const std::string bad : {"", "/etc/passwd", "/", "..", "../x", "a/../b", "a/..", ".", "./a", "a/", "a//b", "[",
                                "[a", "[]", "[!]", "[z-a]", "a/[b/c]"}) {
    EXPECT_NE(Glob::fault(bad), "") << bad;
  }
  EXPECT_NE(Glob::fault(std::string("a\0b", 3)), "");
  EXPECT_NE(Glob::fault(std::string(1001, 'a')), "");
  std::string deep = "a";
  for (int i = 0; i < 64; ++i) deep += "/a";
  EXPECT_NE(Glob::fault(deep), "");
  EXPECT_EQ(Glob::fault(deep.substr(2)), "");
  for (const std::string good : {"..a", "...", "a]", "\u00e9*", "*/..x"}) EXPECT_EQ(Glob::fault(good), "") << good;
}

TEST(Glob, TheDeepestPatternWorks) {
  std::string deep = "**";
  for (int i = 0; i < 63; ++i) deep += "/a";
  ASSERT_EQ(Glob::fault(deep), "");
  EXPECT_TRUE(matches(deep, "x/" + deep.substr(3)));
}

TEST(Glob, AStubbornPatternCostsNoMoreThanItsBudget) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  const std::string name(255, 'a');
  std::size_t budget = kPlenty;
  EXPECT_FALSE(Glob(pattern + "b").matches(name, budget));
  EXPECT_GT(budget, kPlenty - 255 * 201);
  budget = 10;
  EXPECT_FALSE(Glob("*" + pattern).matches(name, budget));
  EXPECT_EQ(budget, 0U);
}

}  // namespace
}  // namespace outrigger::base
