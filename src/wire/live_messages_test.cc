#include "wire/live_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::wire {
namespace {

using ::testing::HasSubstr;

// The field and the sentence of what is wrong.
std::string fault_of(std::string_view text) {
  const auto message = parse_live_message(text);
  return message ? "none" : message.error().field + ": " + message.error().message;
}

template <typename Kind>
Kind read(std::string_view text) {
  const auto message = parse_live_message(text);
  if (!message) throw std::runtime_error(message.error().message);
  return std::get<Kind>(*message);
}

TEST(LiveMessages, StartHoldsARequestAsItsText) {
  const auto start = read<LiveStart>(R"({"type":"start","request":{"limits":{"cpu_cores":0.5},"code":"é"}})");
  EXPECT_EQ(start.request, R"({"limits":{"cpu_cores":5E-1},"code":"é"})");
  EXPECT_FALSE(start.terminal);
}

TEST(LiveMessages, StartMayAskForATerminal) {
  const auto start = read<LiveStart>(R"({"type":"start","request":{},"pty":{"rows":24,"columns":80}})");
  ASSERT_TRUE(start.terminal);
  EXPECT_EQ(start.terminal->rows, 24);
  EXPECT_EQ(start.terminal->columns, 80);
  EXPECT_FALSE(read<LiveStart>(R"({"type":"start","request":{},"pty":null})").terminal);
}

TEST(LiveMessages, StdinIsTextOrBase64) {
  EXPECT_EQ(read<LiveStdin>(R"({"type":"stdin","data":"a\n"})").bytes, "a\n");
  EXPECT_EQ(read<LiveStdin>(R"({"type":"stdin","data":"/wA=","encoding":"base64"})").bytes, std::string("\xff\0", 2));
  EXPECT_THAT(fault_of(R"({"type":"stdin","data":"/wA","encoding":"base64"})"), HasSubstr("data must be base64"));
  EXPECT_THAT(fault_of(R"({"type":"stdin","data":"a","encoding":"hex"})"), HasSubstr("encoding must be"));
  EXPECT_THAT(fault_of(R"({"type":"stdin"})"), HasSubstr("data is required"));
}

TEST(LiveMessages, TheOthersAreRead) {
  read<LiveStdinEnd>(R"({"type":"stdin_end"})");
  EXPECT_EQ(read<LiveSignal>(R"({"type":"signal","signal":"SIGINT"})").name, "SIGINT");
  EXPECT_EQ(read<LiveResize>(R"({"type":"resize","rows":1,"columns":1000})").size.columns, 1000);
}

TEST(LiveMessages, SizesHaveARange) {
  for (const char* rows : {"0", "1001", "-1", "2.5", "\"24\"", "null"}) {
    const std::string text = R"({"type":"resize","columns":80,"rows":)" + std::string(rows) + "}";
    EXPECT_EQ(fault_of(text), "rows: rows must be an integer from 1 to 1000") << rows;
  }
  EXPECT_THAT(fault_of(R"({"type":"start","request":{},"pty":{"rows":24}})"), HasSubstr("pty.columns must be"));
}

TEST(LiveMessages, WhatIsUnknownIsRefused) {
  EXPECT_THAT(fault_of(R"({"type":"close"})"), HasSubstr("type must be start"));
  EXPECT_THAT(fault_of(R"({})"), HasSubstr("type is required"));
  EXPECT_THAT(fault_of("[]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(fault_of("{"), HasSubstr("JSON"));
  EXPECT_THAT(fault_of(R"({"type":"start"})"), HasSubstr("request is required"));
  for (const char* text : {R"({"type":"start","request":{},"extra":1})", R"({"type":"stdin","data":"","extra":1})",
                           R"({"type":"stdin_end","extra":1})", R"({"type":"signal","signal":"SIGINT","extra":1})",
                           R"({"type":"resize","rows":1,"columns":1,"extra":1})",
                           R"({"type":"start","request":{},"pty":{"rows":1,"columns":1,"extra":1}})"}) {
    EXPECT_THAT(fault_of(text), HasSubstr("extra is not a known field")) << text;
  }
}

TEST(LiveMessages, AreWritten) {
  EXPECT_EQ(live_started("j"), R"({"type":"started","job_id":"j"})");
  EXPECT_EQ(live_output("stderr", "a\n"), R"({"type":"stderr","data":"a\n"})");
  EXPECT_EQ(live_finished(R"({"status":"completed"})"), R"({"type":"finished","result":{"status":"completed"}})");
  EXPECT_EQ(live_error(R"({"error":{"code":"c","message":"m"}})"),
            R"({"type":"error","error":{"code":"c","message":"m"}})");
}

}  // namespace
}  // namespace outrigger::wire
