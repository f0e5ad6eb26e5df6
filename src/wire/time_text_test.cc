#include "wire/time_text.h"

#include <gtest/gtest.h>

namespace outrigger::wire {
namespace {

using namespace std::chrono_literals;

TEST(TimeText, HasMicrosecondsAndOneLength) {
  const std::chrono::system_clock::time_point time{1738315800s + 125ms};
  EXPECT_EQ(time_text(time), "2025-01-31T09:30:00.125000Z");
  EXPECT_EQ(time_text(time + 7us), "2025-01-31T09:30:00.125007Z");
}

TEST(TimeText, IsReadBackAsWritten) {
  const std::chrono::system_clock::time_point time{1738315800s + 999'999us};
  EXPECT_EQ(parse_time(time_text(time)), time);
}

TEST(TimeText, ReadsWhatRfc3339Allows) {
  const std::chrono::system_clock::time_point noon{1738324800s};
  for (const char* text : {"2025-01-31T12:00:00Z", "2025-01-31t12:00:00.000z", "2025-01-31T14:00:00+02:00",
                           "2025-01-31 06:30:00.000000000-05:30"}) {
    EXPECT_EQ(parse_time(text), noon) << text;
  }
}

TEST(TimeText, RefusesWhatNoClockOfOursCanHold) {
  EXPECT_TRUE(parse_time("1678-01-01T00:00:00+23:59"));
  EXPECT_TRUE(parse_time("2261-12-31T23:59:60.999999999-23:59"));
  for (const char* text :
       {"0000-01-01T00:00:00Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  }
}

TEST(TimeText, RefusesTheRest) {
  for (const char* text :
       {"", "2025-01-31", "2025-02-30T00:00:00Z", "2025-01-31T24:00:00Z", "2025-01-31T12:00Z", "2025-01-31T12:00:00",
        "2025-01-31T12:00:00.Z", "2025-01-31T12:00:00.0000000000Z", "2025-01-31T12:00:00Z ", "x025-01-31T12:00:00Z",
        "2025-01-31T12:00:00+24:00", "1738324800"}) {
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace outrigger::wire
