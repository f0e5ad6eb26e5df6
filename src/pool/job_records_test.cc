#include "pool/job_records.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace outrigger::pool {
namespace {

namespace fs = std::filesystem;

class JobRecordsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "records.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    fs::create_directory(root_ / "jobs");
    fs::create_directory(root_ / "terminations");
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] base::UniqueFd open(const char* name) const {
    return base::UniqueFd(::open((root_ / name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  [[nodiscard]] std::size_t count(const char* name) const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root_ / name), {}));
  }
  static model::Outcome outcome(std::string id) {
    model::Outcome one;
    one.job_id = std::move(id);
    return one;
  }

  fs::path root_;
};

TEST_F(JobRecordsTest, ACardIsThereWhileTheJobRunsAndASummaryAfter) {
  JobRecords records(open("jobs"), open("terminations"));
  wire::JobCard card;
  card.job_id = "a1";
  records.begin(card);
  EXPECT_TRUE(fs::exists(root_ / "jobs/a1.json"));
  records.end(outcome("a1"), "/bin/true", "v2");
  EXPECT_EQ(count("jobs"), 0U);
  EXPECT_TRUE(fs::exists(root_ / "terminations/a1.json"));
  EXPECT_EQ(records.trouble(), "");
}

TEST_F(JobRecordsTest, EachRunOfAQueuedJobHasASummaryOfItsOwn) {
  JobRecords records(open("jobs"), open("terminations"));
  records.end(outcome("a1"), "/bin/true", "v2", 1);
  records.end(outcome("a1"), "/bin/true", "v2", 2);
  EXPECT_TRUE(fs::exists(root_ / "terminations/a1.json"));
  EXPECT_TRUE(fs::exists(root_ / "terminations/a1.2.json"));
}

TEST_F(JobRecordsTest, CardsOfADeadDaemonAreRemovedAndSummariesKept) {
  std::ofstream(root_ / "jobs/old.json") << "{}";
  std::ofstream(root_ / "terminations/old.json") << "{}";
  const JobRecords records(open("jobs"), open("terminations"));
  EXPECT_EQ(count("jobs"), 0U);
  EXPECT_EQ(count("terminations"), 1U);
}

TEST_F(JobRecordsTest, ALostRecordIsTold) {
  JobRecords records(open("jobs"), open("terminations"));
  fs::remove(root_ / "terminations");
  records.end(outcome("a1"), "/bin/true", "v2");
  EXPECT_NE(records.trouble(), "");
}

}  // namespace
}  // namespace outrigger::pool
