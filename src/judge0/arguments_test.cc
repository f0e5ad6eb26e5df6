#include "judge0/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::judge0 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Judge0Arguments, AreSplitAtSpaces) {
  EXPECT_THAT(split_arguments(""), IsEmpty());
  EXPECT_THAT(split_arguments("  a\tb\n c "), ElementsAre("a", "b", "c"));
}

TEST(Judge0Arguments, QuotesHoldTogether) {
  EXPECT_THAT(split_arguments(R"('a b' "c  d"e '' "")"), ElementsAre("a b", "c  de", "", ""));
  EXPECT_THAT(split_arguments(R"("it's" 'a "b"')"), ElementsAre("it's", R"(a "b")"));
  EXPECT_THAT(split_arguments("'never closed"), ElementsAre("never closed"));
}

TEST(Judge0Arguments, BackslashesQuote) {
  EXPECT_THAT(split_arguments(R"(a\ b \\ \')"), ElementsAre("a b", R"(\)", "'"));
  EXPECT_THAT(split_arguments(R"("\" \\ \n" '\n')"), ElementsAre(R"(" \ \n)", R"(\n)"));
  EXPECT_THAT(split_arguments("a\\\nb"), ElementsAre("ab"));
}

TEST(Judge0Arguments, WhatAShellWouldDoMoreWithIsDropped) {
  EXPECT_THAT(split_arguments("a; rm -rf $HOME | x > y `z` & '<'"),
              ElementsAre("a", "rm", "-rf", "HOME", "x", "y", "z", ""));
  EXPECT_THAT(split_arguments("*.txt ~ {a,b}"), ElementsAre("*.txt", "~", "{a,b}"));
}

}  // namespace
}  // namespace outrigger::judge0
