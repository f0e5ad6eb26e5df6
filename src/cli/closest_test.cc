#include "cli/closest.h"

#include <gtest/gtest.h>

#include <vector>

namespace outrigger::cli {
namespace {

const std::vector<std::string> kVerbs{"run", "doctor", "runtime", "version"};

TEST(Closest, FindsATypingMistake) {
  EXPECT_EQ(closest("rn", kVerbs), "run");
  EXPECT_EQ(closest("docter", kVerbs), "doctor");
  EXPECT_EQ(closest("verison", kVerbs), "version");
}

TEST(Closest, FindsAWordThatWasBegun) { EXPECT_EQ(closest("doc", kVerbs), "doctor"); }

TEST(Closest, GuessesNothingFromAfar) {
  EXPECT_EQ(closest("frobnicate", kVerbs), "");
  EXPECT_EQ(closest("x", kVerbs), "");
  EXPECT_EQ(closest("", kVerbs), "");
}

TEST(Closest, KnowsOptions) {
  const std::vector<std::string> flags{"--wall-time-ms", "--cpu-time-ms", "--json"};
  EXPECT_EQ(closest("--wal-time-ms", flags), "--wall-time-ms");
  EXPECT_EQ(closest("--jsn", flags), "--json");
}

}  // namespace
}  // namespace outrigger::cli
