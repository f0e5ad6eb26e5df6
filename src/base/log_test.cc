#include "base/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace outrigger::base {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

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

// Stderr, while this lives, is a pipe of two pages.
class SmallStderr {
 public:
  SmallStderr() : before_(::dup(STDERR_FILENO)) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    reader_.reset(ends[0]);
    const UniqueFd writer(ends[1]);
    EXPECT_GT(::fcntl(writer.get(), F_SETPIPE_SZ, 8192), 0);
    ::dup2(writer.get(), STDERR_FILENO);
  }
  ~SmallStderr() { ::dup2(before_.get(), STDERR_FILENO); }
  SmallStderr(const SmallStderr&) = delete;
  SmallStderr& operator=(const SmallStderr&) = delete;

  std::string read() {
    std::string text(8192, '\0');
    const ssize_t size = ::read(reader_.get(), text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  UniqueFd before_;
  UniqueFd reader_;
};

TEST(Log, DoesNotWaitForItsReaderAndTellsWhatWasLost) {
  SmallStderr pipe;
  const std::uint64_t before = lost_log_lines();
  for (int i = 0; i < 50; ++i) log(Level::kInfo, "e", {{"text", std::string(200, 'x')}});
  const std::uint64_t lost = lost_log_lines() - before;
  EXPECT_GT(lost, 0U);
  EXPECT_LT(lost, 50U);
  EXPECT_THAT(pipe.read(), Not(HasSubstr("log_lines_lost")));
  log(Level::kInfo, "after");
  EXPECT_THAT(pipe.read(), MatchesRegex(".* warn log_lines_lost count=" + std::to_string(lost) + "\n.* info after\n"));
  EXPECT_EQ(lost_log_lines() - before, lost);
}

}  // namespace
}  // namespace outrigger::base
