#include "base/utf8.h"

#include <gtest/gtest.h>

namespace outrigger::base {
namespace {

TEST(Utf8, AcceptsWhatTheStandardCallsWellFormed) {
  for (const char* good : {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
}

TEST(Utf8, RefusesSurrogatesOverlongAndOutOfRange) {
  for (const char* bad : {"\xed\xa0\x80", "\xc0\xaf", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\xff", "\xc3(", "\x80"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Utf8, ReplacesEachMaximalSubpartOnce) {
  // The example of Unicode 15, table 3-8.
  EXPECT_EQ(to_utf8("\xf0\x80\x80\x41"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\x41");
  EXPECT_EQ(to_utf8("a\xe2\x82z"), "a\xef\xbf\xbdz");
  EXPECT_EQ(to_utf8("\xc3("), "\xef\xbf\xbd(");
}

TEST(Utf8, AllByteValuesComeOutValid) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_TRUE(is_utf8(to_utf8(all)));
}

TEST(Utf8, CutsOnlyAnUnfinishedCharacter) {
  EXPECT_EQ(complete_prefix("ab\xc3"), 2U);
  EXPECT_EQ(complete_prefix("ab\xe2\x82"), 2U);
  EXPECT_EQ(complete_prefix("ab\xf0\x9f\x98"), 2U);
  EXPECT_EQ(complete_prefix("ab\xc3\xa9"), 4U);
  EXPECT_EQ(complete_prefix("ab\xff"), 3U);
  EXPECT_EQ(complete_prefix("ab\x80\x80\x80"), 5U);
  EXPECT_EQ(complete_prefix("\xc3\x28"), 2U);
  EXPECT_EQ(complete_prefix(""), 0U);
}

}  // namespace
}  // namespace outrigger::base
