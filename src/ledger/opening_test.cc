#include <gtest/gtest.h>

#include "ledger/appender.h"
#include "ledger/query.h"
#include "ledger/tail.h"
#include "ledger/test_ledger.h"

// What the opening of a ledger makes of what a crash, or somebody, left at its end.
namespace outrigger::ledger {
namespace {

constexpr const char* kFirst = "execution-000000000001.jsonl";

Opening open_and_add_one(const TestDir& dir) {
  const auto appender = open_appender(dir);
  add_numbers(*appender, 1000, 1);
  return appender->opening();
}

TEST(LedgerOpening, CutsOffEveryPrefixOfALine) {
  const std::vector<std::string> chain = make_chain(3);
  const std::string whole = chain[0] + chain[1];
  for (std::size_t size = 1; size < chain[2].size(); ++size) {
    const TestDir dir(Where::kMemory);
    dir.write(kFirst, whole + chain[2].substr(0, size));
    EXPECT_EQ(head(dir.fd(), kTestName).value()->seq, 2U);
    const Opening opening = open_and_add_one(dir);
    ASSERT_EQ(opening.cut_bytes, size);
    ASSERT_EQ(opening.cut_file, kFirst);
    ASSERT_EQ(opening.cut_text, chain[2].substr(0, std::min<std::size_t>(size, 200)));
    ASSERT_FALSE(opening.broken.has_value());
    const Verification result = verify_or_fail(dir);
    ASSERT_EQ(summary(result), "");
    ASSERT_EQ(result.lines, 3U);
    ASSERT_TRUE(dir.read(kFirst).starts_with(whole));
  }
}

TEST(LedgerOpening, CutsOffBlocksThatWereNeverWritten) {
  const std::vector<std::string> chain = make_chain(3);
  for (const std::string& torn :
       {std::string(4096, '\0'), std::string(3'000'000, '\0'), chain[2].substr(0, 50) + std::string(8192, '\0')}) {
    const TestDir dir(Where::kMemory);
    dir.write(kFirst, chain[0] + chain[1] + torn);
    const Opening opening = open_and_add_one(dir);
    EXPECT_EQ(opening.cut_bytes, torn.size());
    EXPECT_NE(opening.cut_text.find("\\x00"), std::string::npos);
    EXPECT_EQ(summary(verify_or_fail(dir)), "");
  }
}

TEST(LedgerOpening, AnEmptyLastFileCarriesTheChainOn) {
  const std::vector<std::string> chain = make_chain(2);
  for (const std::string torn : {"", "{\"seq\":3"}) {
    const TestDir dir(Where::kMemory);
    dir.write(kFirst, join(chain));
    dir.write("execution-000000000003.jsonl", torn);
    const Opening opening = open_and_add_one(dir);
    EXPECT_EQ(opening.cut_bytes, torn.size());
    EXPECT_EQ(summary(verify_or_fail(dir)), "");
    EXPECT_EQ(verify_or_fail(dir).head.seq, 3U);
    EXPECT_EQ(dir.segments().size(), 2U);
  }
}

TEST(LedgerOpening, OnlyATornLineLeavesAnEmptyLedger) {
  const TestDir dir(Where::kMemory);
  dir.write(kFirst, "{\"seq\":1,");
  EXPECT_FALSE(head(dir.fd(), kTestName).value().has_value());
  EXPECT_EQ(open_and_add_one(dir).cut_bytes, 9U);
  EXPECT_EQ(summary(verify_or_fail(dir)), "");
}

TEST(LedgerOpening, AChangedLastLineIsLeftAndShowsForEver) {
  std::vector<std::string> chain = make_chain(3);
  chain[2].replace(chain[2].find("\"n\":3"), 5, "\"n\":4");
  const TestDir dir(Where::kMemory);
  dir.write(kFirst, join(chain));
  const Opening opening = open_and_add_one(dir);
  EXPECT_EQ(opening.cut_bytes, 0U);
  ASSERT_TRUE(opening.broken.has_value());
  EXPECT_NE(opening.broken->find("does not give the hash"), std::string::npos) << *opening.broken;
  EXPECT_FALSE(open_and_add_one(dir).broken.has_value());
  EXPECT_TRUE(dir.read(kFirst).starts_with(join(chain)));
  const Verification result = verify_or_fail(dir);
  EXPECT_EQ(summary(result), "edited 3");
  EXPECT_EQ(result.head.seq, 5U);
  // The chain goes on from the hash as it was written.
  EXPECT_EQ(parse_line(dir.lines()[3])->prev, parse_line(dir.lines()[2])->hash);
}

TEST(LedgerOpening, AnUnreadableLastLineIsLeftAndTheChainGoesOnBeforeIt) {
  const std::vector<std::string> chain = make_chain(2);
  const TestDir dir(Where::kMemory);
  dir.write(kFirst, join(chain) + "what is this\nand this\n");
  const Opening opening = open_and_add_one(dir);
  ASSERT_TRUE(opening.broken.has_value());
  EXPECT_NE(opening.broken->find("not of a ledger's form"), std::string::npos) << *opening.broken;
  EXPECT_NE(opening.broken->find("1 more"), std::string::npos) << *opening.broken;
  const Verification result = verify_or_fail(dir);
  EXPECT_EQ(result.head.seq, 3U);
  EXPECT_EQ(summary(result), "inserted 0, inserted 0");
}

TEST(LedgerOpening, ATamperedNumberDoesNotMoveTheCount) {
  std::vector<std::string> chain = make_chain(3);
  chain[2].replace(chain[2].find("\"seq\":3"), 7, "\"seq\":9999999");
  const TestDir dir(Where::kMemory);
  dir.write(kFirst, join(chain));
  EXPECT_TRUE(open_and_add_one(dir).broken.has_value());
  EXPECT_EQ(verify_or_fail(dir).head.seq, 4U);
}

TEST(LedgerTail, ShowsBytesAsText) {
  EXPECT_EQ(printable(std::string("a\0\xff\\\n\"", 6), 200), "a\\x00\\xff\\x5c\\x0a\"");
  EXPECT_EQ(printable("abcdef", 3), "abc");
}

}  // namespace
}  // namespace outrigger::ledger
