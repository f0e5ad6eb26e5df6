#include "ledger/line_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "ledger/line.h"
#include "ledger/test_ledger.h"

namespace outrigger::ledger {
namespace {

struct Read {
  std::string text;
  bool finished = true;
  bool too_long = false;
  bool operator==(const Read&) const = default;
};

base::UniqueFd open_file(const TestDir& dir) {
  return base::UniqueFd(::openat(dir.fd(), "file", O_RDONLY | O_CLOEXEC));
}

std::vector<Read> forward(const TestDir& dir) {
  LineReader reader(open_file(dir));
  std::vector<Read> lines;
  for (auto raw = reader.next(); raw.value(); raw = reader.next()) {
    lines.push_back({std::string((*raw)->text.substr(0, 50)), (*raw)->finished, (*raw)->too_long});
  }
  return lines;
}

std::vector<std::string> backward(const TestDir& dir) {
  auto reader = ReverseReader::open(open_file(dir));
  std::vector<std::string> pieces;
  for (auto text = reader->next(); text.value(); text = reader->next()) pieces.emplace_back(**text);
  return pieces;
}

TEST(LedgerLineReader, GivesEachLineAndSaysWhetherItIsFinished) {
  const TestDir dir(Where::kMemory);
  dir.write("file", "a\n\nb");
  EXPECT_EQ(forward(dir), (std::vector<Read>{{"a"}, {""}, {"b", false}}));
  dir.write("file", "");
  EXPECT_TRUE(forward(dir).empty());
}

TEST(LedgerLineReader, PassesOverALineBeyondTheBound) {
  const TestDir dir(Where::kMemory);
  for (const std::size_t size : {kMaxLine, 4 * kMaxLine - 3, 4 * kMaxLine, 4 * kMaxLine + 1, 9 * kMaxLine}) {
    dir.write("file", "a\n" + std::string(size, 'x') + "\nb\n");
    const std::string shown(50, 'x');
    EXPECT_EQ(forward(dir), (std::vector<Read>{{"a"}, {shown, true, true}, {"b"}})) << size;
    dir.write("file", "a\n" + std::string(size, 'x'));
    EXPECT_EQ(forward(dir), (std::vector<Read>{{"a"}, {shown, false, true}})) << size;
  }
}

TEST(LedgerReverseReader, GivesThePiecesFromTheBack) {
  const TestDir dir(Where::kMemory);
  using Pieces = std::vector<std::string>;
  dir.write("file", "a\n\nb");
  EXPECT_EQ(backward(dir), (Pieces{"b", "", "a"}));
  dir.write("file", "a\n");
  EXPECT_EQ(backward(dir), (Pieces{"", "a"}));
  dir.write("file", "");
  EXPECT_EQ(backward(dir), Pieces{""});
  dir.write("file", "\n");
  EXPECT_EQ(backward(dir), (Pieces{"", ""}));
}

TEST(LedgerReverseReader, ReadsWhatTheOtherReads) {
  const TestDir dir(Where::kMemory);
  std::mt19937 random(7);
  std::string content;
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) {
    lines.emplace_back(random() % (i % 100 == 0 ? 100'000 : 700), static_cast<char>('a' + i % 26));
    content += lines.back() + "\n";
  }
  dir.write("file", content);
  std::vector<std::string> pieces = backward(dir);
  ASSERT_EQ(pieces.front(), "");
  pieces.erase(pieces.begin());
  std::ranges::reverse(pieces);
  EXPECT_EQ(pieces, lines);
}

}  // namespace
}  // namespace outrigger::ledger
