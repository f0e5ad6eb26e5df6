#include "ledger/verify.h"

#include <gtest/gtest.h>

#include "ledger/test_ledger.h"

// Ledgers of several files.
namespace outrigger::ledger {
namespace {

namespace fs = std::filesystem;

class LedgerVerify : public testing::Test {
 protected:
  // Three files of four lines.
  void SetUp() override {
    for (std::size_t i = 0; i < 3; ++i) {
      files_.push_back(dir_.path() / ("execution-00000000000" + std::to_string(1 + 4 * i) + ".jsonl"));
      dir_.write(files_.back(), join({chain_.begin() + static_cast<std::ptrdiff_t>(4 * i),
                                      chain_.begin() + static_cast<std::ptrdiff_t>(4 * i + 4)}));
    }
  }
  [[nodiscard]] std::string hash_of_line(std::size_t seq) const {
    return std::string(parse_line(std::string_view(chain_[seq - 1]).substr(0, chain_[seq - 1].size() - 1))->hash);
  }

  TestDir dir_{Where::kMemory};
  std::vector<std::string> chain_ = make_chain(12);
  std::vector<fs::path> files_;
};

TEST_F(LedgerVerify, FollowsTheChainFromFileToFile) {
  const Verification result = verify_or_fail(dir_);
  EXPECT_TRUE(result.sound());
  EXPECT_EQ(result.lines, 12U);
  EXPECT_EQ(result.segments, 3U);
  EXPECT_EQ(result.first_seq, 1U);
  EXPECT_EQ(result.head, (Head{12, hash_of_line(12)}));
}

TEST_F(LedgerVerify, ARemovedFileInTheMiddleIsMissed) {
  fs::remove(files_[1]);
  const Verification result = verify_or_fail(dir_);
  EXPECT_EQ(summary(result), "removed 5");
  EXPECT_NE(result.faults[0].sentence.find("lines 5 to 8"), std::string::npos) << result.faults[0].sentence;
}

TEST_F(LedgerVerify, AnEmptiedFileInTheMiddleIsMissed) {
  dir_.write(files_[1], "");
  EXPECT_EQ(summary(verify_or_fail(dir_)), "removed 5");
}

TEST_F(LedgerVerify, ArchivedFilesAreMissedUnlessTheirLastHashIsGiven) {
  fs::remove(files_[0]);
  const Verification result = verify_or_fail(dir_);
  EXPECT_EQ(summary(result), "removed 1");
  EXPECT_NE(result.faults[0].sentence.find("archived"), std::string::npos) << result.faults[0].sentence;
  EXPECT_EQ(result.first_seq, 5U);
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(4)})), "");
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(4), hash_of_line(12)})), "");
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(3)})), "removed 1, anchor_missing 0");
}

TEST_F(LedgerVerify, AnArchivedLedgersFirstLineIsStillWatched) {
  fs::remove(files_[0]);
  std::string text = dir_.read(files_[1]);
  text.replace(text.find("\"n\":5"), 5, "\"n\":6");
  dir_.write(files_[1], text);
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(4)})), "edited 5");
}

TEST_F(LedgerVerify, ARemovedLastFileIsMissedWithAnAnchorOnly) {
  fs::remove(files_[2]);
  EXPECT_EQ(summary(verify_or_fail(dir_)), "");
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(12)})), "anchor_missing 0");
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(8)})), "");
}

TEST_F(LedgerVerify, NothingLeftIsMissedWithAnAnchorOnly) {
  for (const fs::path& file : files_) fs::remove(file);
  EXPECT_EQ(summary(verify_or_fail(dir_)), "");
  EXPECT_EQ(summary(verify_or_fail(dir_, {hash_of_line(1)})), "anchor_missing 0");
  EXPECT_EQ(verify_or_fail(dir_).segments, 0U);
}

TEST_F(LedgerVerify, ExchangedFilesAreOutOfOrder) {
  const std::string one = dir_.read(files_[0]);
  dir_.write(files_[0], dir_.read(files_[1]));
  dir_.write(files_[1], one);
  EXPECT_EQ(summary(verify_or_fail(dir_)), "reordered 1, reordered 2, reordered 3, reordered 4");
}

TEST_F(LedgerVerify, ARenamedFileIsNoticed) {
  fs::rename(files_[1], dir_.path() / "execution-000000000006.jsonl");
  EXPECT_EQ(summary(verify_or_fail(dir_)), "malformed 5");
}

TEST_F(LedgerVerify, ANewlineCutOffInAnOlderFileIsTornAndTheLineStillCounts) {
  std::string text = dir_.read(files_[0]);
  text.pop_back();
  dir_.write(files_[0], text);
  EXPECT_EQ(summary(verify_or_fail(dir_)), "torn 4");
  EXPECT_EQ(verify_or_fail(dir_).lines, 12U);
  dir_.write(files_[0], text.substr(0, text.size() - 10));
  EXPECT_EQ(summary(verify_or_fail(dir_)), "torn 0");
}

TEST_F(LedgerVerify, AnotherLedgersChainIsNotThisOnes) {
  for (const fs::path& file : files_) fs::remove(file);
  dir_.write(files_[0], join(make_chain(3, "incidents")));
  const Verification result = verify_or_fail(dir_);
  EXPECT_EQ(summary(result), "inserted 1");
  EXPECT_EQ(result.head.seq, 3U);
}

TEST_F(LedgerVerify, ListsSomeFaultsAndCountsAll) {
  std::string text = dir_.read(files_[1]);
  for (int i = 0; i < 10'000; ++i) text += "x\n";
  dir_.write(files_[1], text);
  const auto result = verify(dir_.fd(), kTestName, {.anchors = {}, .max_faults = 5});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->faults.size(), 5U);
  EXPECT_EQ(result->fault_count, 10'000U);
  EXPECT_EQ(result->lines, 10'012U);
}

TEST_F(LedgerVerify, OtherFilesInTheDirectoryDoNotMatter) {
  dir_.write("execution-1.jsonl", "x");
  dir_.write("execution-000000000001.jsonl.gz", "x");
  dir_.write("execution-x-000000000001.jsonl", "x");
  dir_.write("execution.lock", "1\n");
  fs::create_directory(dir_.path() / "execution-000000000099.jsonl");
  EXPECT_EQ(summary(verify_or_fail(dir_)), "");
}

TEST_F(LedgerVerify, RefusesANameThatIsNone) {
  EXPECT_EQ(verify(dir_.fd(), "../execution").error().code, base::Code::kInvalid);
}

}  // namespace
}  // namespace outrigger::ledger
