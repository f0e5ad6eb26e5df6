#include "piston/semver.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace outrigger::piston {
namespace {

constexpr Version kPython{3, 11, 2};

TEST(PistonVersion, IsWhatADebianVersionBeginsWith) {
  EXPECT_EQ(version_of_package("3.11.2-1+b1"), (Version{3, 11, 2}));
  EXPECT_EQ(version_of_package("4:12.2.0-3"), (Version{12, 2, 0}));
  EXPECT_EQ(version_of_package("2:1.19~1"), (Version{1, 19, 0}));
  EXPECT_EQ(version_of_package("18.20.4+dfsg-1~deb12u1"), (Version{18, 20, 4}));
  EXPECT_EQ(version_of_package(""), (Version{0, 0, 0}));
}

TEST(PistonVersion, RangesThatTakeIt) {
  for (const std::string_view range :
       {"3.11.2",      "=3.11.2",    "v3.11.2",  "3.11",           "3",           "3.x",     "3.11.X", "*",
        "x",           "",           " ",        "^3.0.0",         "^3",          "~3.11.0", "~3",     "~>3.11",
        ">=3.10 <4",   ">= 3.10",    ">3.11.1",  ">3.10",          "<=3.11.2",    "<=3.11",  "<4",     "3.10 - 3.12",
        "3.10 - 3.11", "2.x || 3.x", "1 || >=3", "3.11.2+build.5", ">3.11.2-rc.1"}) {
    EXPECT_TRUE(satisfies(kPython, range)) << range;
  }
}

TEST(PistonVersion, RangesThatDoNot) {
  for (const std::string_view range :
       {"3.11.3", "3.10", "2", "^3.12", "^2", "~3.10", ">3.11.2", ">3.11", ">3", "<3.11.2", "<3.11", "<=3.10",
        "3.9 - 3.10", "1 || 2", ">*", "<*", "3.11.2-rc.1", "<=3.11.2-rc.1", ">=3.12 <4"}) {
    EXPECT_FALSE(satisfies(kPython, range)) << range;
  }
}

TEST(PistonVersion, WhatIsNoRangeTakesNothing) {
  for (const std::string_view range : {"latest", "3.11.2.1", "three", ">>3", "3..1", "=>3", "3 ||| 3", "~~3", "3.11.2-",
                                       "99999999999999999999", "3.11.2 nonsense", "-1"}) {
    EXPECT_FALSE(satisfies(kPython, range)) << range;
  }
}

TEST(PistonVersion, ACaretStopsAtTheFirstNumberThatIsNotZero) {
  EXPECT_TRUE(satisfies({0, 2, 9}, "^0.2.3"));
  EXPECT_FALSE(satisfies({0, 3, 0}, "^0.2.3"));
  EXPECT_TRUE(satisfies({0, 0, 3}, "^0.0.3"));
  EXPECT_FALSE(satisfies({0, 0, 4}, "^0.0.3"));
  EXPECT_TRUE(satisfies({0, 9, 0}, "^0"));
  EXPECT_FALSE(satisfies({0, 1, 0}, "^0.0"));
}

}  // namespace
}  // namespace outrigger::piston
