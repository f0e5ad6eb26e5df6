#include "ledger/line.h"

#include <gtest/gtest.h>

#include "digest/digest.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kTime = "2025-01-31T09:30:00.125000Z";

std::string line_of(std::string_view members, Head before = before_first("execution")) {
  std::string text;
  append_line(text, before, kTime, members);
  return text;
}

std::string_view without_newline(const std::string& line) { return std::string_view(line).substr(0, line.size() - 1); }

TEST(LedgerLine, HasExactlyTheDocumentedBytes) {
  const std::string prev = digest::sha256_hex("outrigger ledger execution 1");
  const std::string content =
      R"({"seq":1,"recorded_at":"2025-01-31T09:30:00.125000Z","prev":")" + prev + R"(","job_id":"a")";
  EXPECT_EQ(line_of(R"("job_id":"a")"), content + R"(,"hash":")" + digest::sha256_hex(content) + "\"}\n");
}

TEST(LedgerLine, NamesItsPredecessor) {
  std::string text;
  const Head first = append_line(text, before_first("execution"), kTime, R"("n":1)");
  const Head second = append_line(text, first, kTime, R"("n":2)");
  EXPECT_EQ(first.seq, 1U);
  EXPECT_EQ(second.seq, 2U);
  const std::string after = text.substr(text.find('\n') + 1);
  const auto line = parse_line(without_newline(after));
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->prev, first.hash);
  EXPECT_EQ(line->hash, second.hash);
}

TEST(LedgerLine, IsReadAsItWasWritten) {
  const std::string text = line_of(R"("job_id":"a","nested":{"hash":"x"})", {41, digest::sha256_hex("x")});
  const auto line = parse_line(without_newline(text));
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->seq, 42U);
  EXPECT_EQ(line->recorded_at, kTime);
  EXPECT_EQ(line->prev, digest::sha256_hex("x"));
  EXPECT_EQ(line->members, R"("job_id":"a","nested":{"hash":"x"})");
  EXPECT_EQ(line->hash, hash_of(*line));
}

TEST(LedgerLine, MayHaveNoMembers) {
  const std::string text = line_of("");
  const auto line = parse_line(without_newline(text));
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->members, "");
}

TEST(LedgerLine, StaysOneLineWhateverTheMembersHold) {
  const std::string text = line_of("\"a\":\n1");
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_EQ(parse_line(without_newline(text))->members, "\"a\": 1");
}

TEST(LedgerLine, MembersThatLookLikeAHashAreNoHash) {
  const std::string text = line_of(R"("a":"b","hash":")" + std::string(64, '0') + R"(","c":1)");
  const auto line = parse_line(without_newline(text));
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->hash, hash_of(*line));
}

TEST(LedgerLine, LedgersOfDifferentNamesBeginDifferently) {
  EXPECT_NE(before_first("execution").hash, before_first("incidents").hash);
}

TEST(LedgerLine, OtherFormsAreRefused) {
  const std::string good = line_of(R"("n":1)");
  const auto with = [&](std::string_view what, std::string_view by) {
    std::string text = good.substr(0, good.size() - 1);
    text.replace(text.find(what), what.size(), by);
    return text;
  };
  ASSERT_TRUE(parse_line(without_newline(good)).has_value());
  const std::string prev = before_first("execution").hash;
  for (const std::string& bad : {
           std::string(),
           std::string("{}"),
           good,
           good + " ",
           " " + good.substr(0, good.size() - 1),
           with("\"seq\":1", "\"seq\":01"),
           with("\"seq\":1", "\"seq\":0"),
           with("\"seq\":1", "\"seq\": 1"),
           with("\"seq\":1", "\"seq\":"),
           with("\"seq\":1", "\"seq\":1234567890123456789"),
           with("Z\"", "+\""),
           with("2025", "20a5"),
           with(prev, prev.substr(1)),
           with(prev, prev + "0"),
           with("\"n\":1", ""),
           with(prev, "A" + prev.substr(1)),
           with("recorded_at", "recorded"),
           with("\"hash\"", "\"hasH\""),
           with(R"(,"n":1)", R"("n":1)"),
       }) {
    EXPECT_FALSE(parse_line(bad).has_value()) << bad;
  }
}

TEST(LedgerLine, ALineLongerThanTheBoundIsRefused) {
  const std::string longest = line_of("\"x\":\"" + std::string(kMaxMembers - 6, 'x') + "\"");
  EXPECT_TRUE(parse_line(without_newline(longest)).has_value());
  const std::string longer = line_of("\"x\":\"" + std::string(kMaxLine, 'x') + "\"");
  EXPECT_FALSE(parse_line(without_newline(longer)).has_value());
}

}  // namespace
}  // namespace outrigger::ledger
