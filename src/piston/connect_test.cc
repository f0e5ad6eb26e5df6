#include "piston/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::piston {
namespace {

template <typename Kind>
bool is(std::string_view text) {
  const auto message = parse_client_message(text);
  return message && std::holds_alternative<Kind>(*message);
}

TEST(Connect, ReadsPistonsMessages) {
  EXPECT_TRUE(is<Init>(R"({"type":"init","language":"python"})"));
  const auto data = parse_client_message(R"({"type":"data","stream":"stdin","data":"a\n"})");
  ASSERT_TRUE(data);
  EXPECT_EQ(std::get<Data>(*data).data, "a\n");
  const auto signal = parse_client_message(R"({"type":"signal","signal":"SIGINT"})");
  ASSERT_TRUE(signal);
  EXPECT_EQ(std::get<Signal>(*signal).name, "SIGINT");
}

TEST(Connect, PassesOverWhatPistonDoes) {
  for (const char* text : {"{}", R"({"type":"hello"})", R"({"type":1})"}) EXPECT_TRUE(is<Other>(text)) << text;
  EXPECT_TRUE(is<Data>(R"({"type":"data","stream":"stdout"})"));
  EXPECT_TRUE(is<Signal>(R"({"type":"signal"})"));
}

TEST(Connect, SaysWhatIsNoMessage) {
  EXPECT_FALSE(parse_client_message("{"));
  EXPECT_FALSE(parse_client_message("[]"));
  EXPECT_EQ(parse_client_message(R"({"type":"data","stream":"stdin","data":1})").error(), "data must be a string");
}

TEST(Connect, StdinIsThereWhenItIsText) {
  EXPECT_TRUE(has_stdin(R"({"stdin":"a"})"));
  for (const char* text : {"{}", R"({"stdin":""})", R"({"stdin":null})"}) EXPECT_FALSE(has_stdin(text)) << text;
}

TEST(Connect, WritesPistonsMessages) {
  EXPECT_EQ(runtime_message({"python", {3, 11, 2}, {}, {}, nullptr}),
            R"({"type":"runtime","language":"python","version":"3.11.2"})");
  EXPECT_EQ(stage_message("run"), R"({"type":"stage","stage":"run"})");
  EXPECT_EQ(data_message("stderr", "a\n"), R"({"type":"data","stream":"stderr","data":"a\n"})");
  EXPECT_EQ(error_message("no"), R"({"type":"error","message":"no"})");
  model::Outcome outcome;
  outcome.status = model::Status::kFailed;
  outcome.exit_code = 3;
  EXPECT_EQ(exit_message("run", outcome), R"({"type":"exit","stage":"run","code":3,"signal":null})");
  model::CompileReport report;
  report.status = model::Status::kTimeout;
  EXPECT_EQ(exit_message("compile", report), R"({"type":"exit","stage":"compile","code":null,"signal":"SIGKILL"})");
}

}  // namespace
}  // namespace outrigger::piston
