#include "audit/journal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "audit/record_format.h"

namespace outrigger::audit {
namespace {

namespace fs = std::filesystem;

class JournalTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/journal-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { fs::remove_all(dir_); }

  Journal journal(Journal::Options options = {}) {
    fd_ = base::UniqueFd(::open(dir_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return Journal(fd_.get(), options);
  }
  std::vector<fs::path> files() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(dir_)) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }
  static std::vector<std::string> ids(const Journal& from) {
    std::vector<std::string> out;
    const auto batch = from.read(from.begin(), 1U << 30);
    EXPECT_TRUE(batch.has_value());
    for (const Record& record : batch->records) out.push_back(record.job_id);
    EXPECT_EQ(batch->next, from.end());
    return out;
  }

  fs::path dir_;
  base::UniqueFd fd_;
};

using Ids = std::vector<std::string>;

TEST_F(JournalTest, GivesBackWhatItWasGiven) {
  Journal one = journal();
  ASSERT_TRUE(one.open().has_value());
  ASSERT_TRUE(one.append({RecordKind::kBegin, "a", "{}"}).has_value());
  ASSERT_TRUE(one.append({RecordKind::kKeep, "b", std::string("\0x\n", 3)}).has_value());
  const auto batch = one.read(one.begin(), 1000);
  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->records.size(), 2U);
  EXPECT_EQ(batch->records[0].kind, RecordKind::kBegin);
  EXPECT_EQ(batch->records[0].content, "{}");
  EXPECT_EQ(batch->records[1].content, std::string("\0x\n", 3));
  EXPECT_EQ(batch->next, one.end());
}

TEST_F(JournalTest, OutlivesItsProcess) {
  {
    Journal first = journal();
    ASSERT_TRUE(first.open().has_value());
    ASSERT_TRUE(first.append({RecordKind::kEnd, "a", "{}"}).has_value());
  }
  Journal second = journal();
  ASSERT_TRUE(second.open().has_value());
  ASSERT_TRUE(second.append({RecordKind::kEnd, "b", "{}"}).has_value());
  EXPECT_EQ(ids(second), (Ids{"a", "b"}));
}

TEST_F(JournalTest, ATornEndCostsTheLastRecordOnly) {
  const std::size_t whole = encode_record({RecordKind::kEnd, "b", "{}"}).size();
  for (std::size_t cut = 1; cut <= whole; ++cut) {
    fs::remove_all(dir_);
    fs::create_directory(dir_);
    {
      Journal first = journal();
      ASSERT_TRUE(first.open().has_value());
      ASSERT_TRUE(first.append({RecordKind::kEnd, "a", "{}"}).has_value());
      ASSERT_TRUE(first.append({RecordKind::kEnd, "b", "{}"}).has_value());
    }
    fs::resize_file(files().front(), fs::file_size(files().front()) - cut);
    Journal second = journal();
    ASSERT_TRUE(second.open().has_value());
    ASSERT_TRUE(second.append({RecordKind::kEnd, "c", "{}"}).has_value());
    EXPECT_EQ(ids(second), (Ids{"a", "c"})) << cut;
  }
}

TEST_F(JournalTest, AChangedByteIsFoundWhereverItIs) {
  const std::string sound = encode_record({RecordKind::kEnd, "job", "content"});
  ASSERT_TRUE(decode_record(sound).has_value());
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string changed = sound;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(decode_record(changed).has_value()) << i;
  }
}

TEST_F(JournalTest, GoesOnInAnotherFileAndRemovesTheOldOnes) {
  Journal one = journal({100, 1U << 20});
  ASSERT_TRUE(one.open().has_value());
  Ids expected;
  for (int i = 0; i < 50; ++i) {
    if (one.segment_full()) {
      ASSERT_TRUE(one.open_next().has_value());
    }
    expected.push_back("job" + std::to_string(i));
    ASSERT_TRUE(one.append({RecordKind::kEnd, expected.back(), "{}"}).has_value());
  }
  EXPECT_GT(files().size(), 5U);
  EXPECT_EQ(ids(one), expected);
  one.remove_before(one.end());
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(one.bytes(), fs::file_size(files().front()));
}

TEST_F(JournalTest, ReadsInPiecesWithoutGapOrRepeat) {
  Journal one = journal({200, 1U << 20});
  ASSERT_TRUE(one.open().has_value());
  for (int i = 0; i < 40; ++i) {
    if (one.segment_full()) {
      ASSERT_TRUE(one.open_next().has_value());
    }
    ASSERT_TRUE(one.append({RecordKind::kEnd, std::to_string(i), "{}"}).has_value());
  }
  Ids got;
  Position at = one.begin();
  while (at != one.end()) {
    const auto batch = one.read(at, 30);
    ASSERT_TRUE(batch.has_value());
    ASSERT_GT(batch->next, at);
    for (const Record& record : batch->records) got.push_back(record.job_id);
    at = batch->next;
  }
  ASSERT_EQ(got.size(), 40U);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST_F(JournalTest, SaysWhenItIsFull) {
  Journal one = journal({1U << 20, 60});
  ASSERT_TRUE(one.open().has_value());
  ASSERT_TRUE(one.append({RecordKind::kEnd, "a", std::string(30, 'x')}).has_value());
  const auto full = one.append({RecordKind::kEnd, "b", std::string(30, 'x')});
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().code, base::Code::kExhausted);
  EXPECT_EQ(ids(one), Ids{"a"});
}

// A write that the file system takes only half of, as on a full disk: RLIMIT_FSIZE does the same to one process.
TEST_F(JournalTest, AHalfWrittenRecordIsTakenBack) {
  Journal one = journal();
  ASSERT_TRUE(one.open().has_value());
  ASSERT_TRUE(one.append({RecordKind::kEnd, "a", "{}"}).has_value());
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit tight{one.end().offset + 20, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto failed = one.append({RecordKind::kEnd, "b", std::string(100, 'x')});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, base::Code::kSystem);
  ASSERT_TRUE(one.append({RecordKind::kEnd, "c", "{}"}).has_value());
  EXPECT_EQ(ids(one), (Ids{"a", "c"}));
}

}  // namespace
}  // namespace outrigger::audit
