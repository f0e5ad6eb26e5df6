#include "view/words.h"

#include <gtest/gtest.h>

namespace outrigger::view {
namespace {

using namespace std::chrono_literals;

TEST(Words, Ages) {
  EXPECT_EQ(age_text(0ms), "0.0 s");
  EXPECT_EQ(age_text(2349ms), "2.3 s");
  EXPECT_EQ(age_text(59999ms), "59.9 s");
  EXPECT_EQ(age_text(65s), "1 m 05 s");
  EXPECT_EQ(age_text(2h + 61s), "2 h 01 m");
}

TEST(Words, WhatIsNotKnownIsADashAndNoZero) {
  EXPECT_EQ(count_text(std::nullopt), "-");
  EXPECT_EQ(percent_text(std::nullopt), "-");
  EXPECT_EQ(pair_text(3, std::nullopt), "3/-");
  EXPECT_EQ(percent_text(0.0), "0 %");
}

TEST(Words, ATerminalIsNotToldAnythingByAJob) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f"), "a?[2Jb??");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "?2J");
  EXPECT_EQ(printable("caf\xc3\xa9 \xff"), "caf\xc3\xa9 \xef\xbf\xbd");
}

TEST(SparkLine, TheNewestStandsAtTheRight) {
  History history;
  EXPECT_EQ(spark_line(history, 4), "    ");
  history.add(100);
  EXPECT_EQ(spark_line(history, 4), "   █");
  for (int i = 0; i < 15; ++i) history.add(0);
  EXPECT_EQ(spark_line(history, 4), "  █▁");
}

TEST(SparkLine, TheOldestFallOut) {
  History history;
  history.add(100);
  for (std::size_t i = 0; i < History::kMarks; ++i) history.add(0);
  EXPECT_EQ(history.size(), History::kMarks);
  EXPECT_EQ(spark_line(history, 4), "▁▁▁▁");
}

}  // namespace
}  // namespace outrigger::view
