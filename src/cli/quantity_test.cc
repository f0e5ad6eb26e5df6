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

TEST(Lifetime, IsAWholeNumberOfAUnit) {
  using namespace std::chrono_literals;
  EXPECT_EQ(parse_lifetime("30d"), 30 * 24h);
  EXPECT_EQ(parse_lifetime("12h"), 12h);
  EXPECT_EQ(parse_lifetime("90m"), 90min);
  EXPECT_EQ(parse_lifetime("1s"), 1s);
  for (const char* bad : {"", "d", "30", "0d", "1.5d", "-1d", "1w", "1 d", "99999999d", "1d1h"}) {
    EXPECT_FALSE(parse_lifetime(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace outrigger::cli
