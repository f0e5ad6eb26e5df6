#include "cli/quantity.h"

#include <gtest/gtest.h>

namespace outrigger::cli {
namespace {

TEST(ParseBytes, KnowsPowersOf1024) {
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("64M"), 67108864);
  EXPECT_EQ(parse_bytes("64m"), 67108864);
  EXPECT_EQ(parse_bytes("1.5G"), 1610612736);
  EXPECT_EQ(parse_bytes("512k"), 524288);
}

TEST(ParseBytes, RefusesWhatIsNoWholeNumberOfBytes) {
  for (const char* text :
       {"", "M", "1.5", "0.1k", "64Q", "64MB", "-1", "-1M", "1e6", "0x10", " 1", "1 ", "nan", "inf"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(ParseNumber, KnowsDecimals) {
  EXPECT_EQ(parse_number("0.5"), 0.5);
  EXPECT_EQ(parse_number("2000"), 2000);
}

TEST(ParseNumber, RefusesOtherForms) {
  for (const char* text : {"", "-1", "+1", "1e3", "five", "1,5", "1.5.2", "inf", "nan", "2000ms"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

}  // namespace
}  // namespace outrigger::cli
