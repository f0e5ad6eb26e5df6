#include "wire/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace outrigger::wire {
namespace {

using std::chrono::microseconds;

template <typename Write>
std::string written(Write write) {
  JsonWriter writer;
  write(writer);
  return writer.take();
}

TEST(JsonWriter, SeparatesMembersAndElements) {
  JsonWriter w;
  w.begin_object()
      .key("a")
      .number(1)
      .key("b")
      .begin_array()
      .boolean(true)
      .null()
      .begin_object()
      .end_object()
      .end_array();
  w.key("c").begin_array().end_array().end_object();
  EXPECT_EQ(w.take(), R"({"a":1,"b":[true,null,{}],"c":[]})");
}

TEST(JsonWriter, EscapesWhatJsonRequires) {
  EXPECT_EQ(written([](JsonWriter& w) { w.text(std::string("a\"\\\n\r\t\0\x1f\x7f", 9)); }),
            "\"a\\\"\\\\\\n\\r\\t\\u0000\\u001f\x7f\"");
}

TEST(JsonWriter, MakesIllFormedBytesReplacementCharacters) {
  EXPECT_EQ(written([](JsonWriter& w) { w.text("a\xff\xc3\xa9\xed\xa0\x80"); }),
            "\"a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(JsonWriter, WritesMillisecondsWithTheirFraction) {
  EXPECT_EQ(written([](JsonWriter& w) { w.milliseconds(microseconds{3100}); }), "3.1");
  EXPECT_EQ(written([](JsonWriter& w) { w.milliseconds(microseconds{0}); }), "0.0");
  EXPECT_EQ(written([](JsonWriter& w) { w.milliseconds(microseconds{5'000'004}); }), "5000.004");
  EXPECT_EQ(written([](JsonWriter& w) { w.milliseconds(microseconds{-7}); }), "0.0");
}

TEST(JsonWriter, WritesNoNumberThatJsonDoesNotHave) {
  EXPECT_EQ(written([](JsonWriter& w) { w.real(std::numeric_limits<double>::infinity()); }), "null");
  EXPECT_EQ(written([](JsonWriter& w) { w.real(std::numeric_limits<double>::quiet_NaN()); }), "null");
  EXPECT_EQ(written([](JsonWriter& w) { w.real(0.5); }), "0.5");
  EXPECT_EQ(written([](JsonWriter& w) { w.number(std::numeric_limits<std::uint64_t>::max()); }),
            "18446744073709551615");
}

TEST(JsonWriter, WritesTimesInUtc) {
  const auto time = std::chrono::system_clock::time_point{std::chrono::milliseconds{1'738'315'800'007}};
  EXPECT_EQ(written([&](JsonWriter& w) { w.timestamp(time); }), "\"2025-01-31T09:30:00.007Z\"");
}

}  // namespace
}  // namespace outrigger::wire
