#include "base/log.h"

#include <gtest/gtest.h>

namespace outrigger::base {
namespace {

TEST(Log, AValueCanNotForgeASecondLine) {
  const std::string line = format_line(LogFormat::kText, Level::kInfo, "request", {{"path", "/x\nerror forged"}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line, "info request path=\"/x\\u000aerror forged\"");
}

TEST(Log, JsonQuotesWhatItMust) {
  EXPECT_EQ(format_line(LogFormat::kJson, Level::kWarn, "e", {{"k", "a\"b\\\xff"}}),
            "\"level\":\"warn\",\"event\":\"e\",\"k\":\"a\\\"b\\\\\xef\xbf\xbd\"");
}

TEST(Log, NumbersAreNumbers) {
  EXPECT_EQ(format_line(LogFormat::kJson, Level::kInfo, "e",
                        {{"n", 12}, {"below", -1}, {"ms", std::chrono::microseconds{3007}}, {"text", "12"}}),
            R"("level":"info","event":"e","n":12,"below":-1,"ms":3.007,"text":"12")");
  EXPECT_EQ(format_line(LogFormat::kText, Level::kInfo, "e", {{"n", 12}}), "info e n=12");
}

TEST(Log, PlainValuesStayBare) {
  EXPECT_EQ(format_line(LogFormat::kText, Level::kError, "e", {{"n", "12"}, {"empty", ""}}), "error e n=12 empty=\"\"");
}

}  // namespace
}  // namespace outrigger::base
