#include "cli/mcp_lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace outrigger::cli {
namespace {

// What a reader makes of these bytes: its lines with "|" between, "#" for one too long.
std::string lines_of(const std::string& bytes) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t size = ::write(ends[1], bytes.data() + at, bytes.size() - at);
      ASSERT_GT(size, 0);
      at += static_cast<std::size_t>(size);
    }
    ::close(ends[1]);
  });
  McpLines lines(ends[0]);
  std::string out;
  while (const auto line = lines.next()) out += (line->too_long ? "#" : line->text) + "|";
  writer.join();
  ::close(ends[0]);
  return out;
}

TEST(McpLines, AreWhatStandsBetweenLineBreaks) {
  EXPECT_EQ(lines_of(""), "");
  EXPECT_EQ(lines_of("\n\n"), "");
  EXPECT_EQ(lines_of("a\nb\r\n\nc"), "a|b|c|");
  EXPECT_EQ(lines_of(std::string(200'000, 'x') + "\ny\n"), std::string(200'000, 'x') + "|y|");
}

TEST(McpLines, OneThatIsTooLongIsPassedOverAndTheNextIsRead) {
  const std::string endless(McpLines::kMaxLine + 100'000, 'x');
  EXPECT_EQ(lines_of("a\n" + endless + "\nb\n"), "a|#|b|");
  EXPECT_EQ(lines_of(endless), "#|");
}

}  // namespace
}  // namespace outrigger::cli
