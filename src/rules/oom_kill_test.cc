#include <gtest/gtest.h>

#include "rules/kinds.h"
#include "rules/summaries.h"
#include "rules/watched_job.h"

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;
using probe::Absence;
using probe::Figure;
using sys::CgroupVersion;

struct Case {
  const char* name;
  std::vector<Figure> kills;
  std::vector<bool> told;
};

class OomKillTable : public ::testing::TestWithParam<Case> {};

TEST_P(OomKillTable, IsTold) {
  WatchedJob job(kOomKill);
  std::vector<bool> told;
  for (const Figure& kills : GetParam().kills) {
    job.reading.oom_kills = kills;
    told.push_back(job.look().has_value());
  }
  EXPECT_EQ(told, GetParam().told);
}

const Case kCases[] = {
    {"EachRiseOnce", {0U, 1U, 1U, 3U, 3U}, {false, true, false, true, false}},
    {"AlsoBeforeTheFirstReading", {2U, 2U}, {true, false}},
    {"AMissingCountIsNotZeroAndNotOne", {Absence::kNoKey, Absence::kNoKey}, {false, false}},
    {"ACountThatWasAwayIsNotToldAgain", {1U, Absence::kNotRead, 1U}, {true, false, false}},
};

INSTANTIATE_TEST_SUITE_P(Readings, OomKillTable, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(OomKill, PressureWithoutAKillIsNoDeath) {
  WatchedJob job(kOomKill);
  job.reading.ooms = 3U;
  job.reading.oom_kills = 0U;
  job.reading.memory_limit_hits = 100U;
  EXPECT_FALSE(job.look());
}

TEST(OomKill, AChildsIsAWarningWhileTheJobGoesOn) {
  WatchedJob job(kOomKill);
  job.reading.ooms = 1U;
  job.reading.oom_kills = 1U;
  const auto finding = job.look();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
  EXPECT_EQ(finding->text,
            "the kernel killed 1 process of job j1 of tenant acme for memory, at the job's own ceiling of 128.0 MiB; "
            "the job has not ended by it so far");
}

TEST(OomKill, AtTheEndItIsCritical) {
  WatchedJob job(kOomKill);
  job.reading.oom_kills = 0U;
  job.look();
  job.reading.ooms = 1U;
  job.reading.oom_kills = 1U;
  const auto finding = job.look_after_end(5ms);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kCritical);
  const auto summary = memory_exceeded();
  EXPECT_FALSE(job.look_when_gone(500ms, &summary));
}

TEST(OomKill, OfAJobThatWasNeverSeenAliveTheSummaryTells) {
  WatchedJob job(kOomKill);
  const auto summary = memory_exceeded();
  const auto finding = job.look_when_gone(5ms, &summary);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kCritical);
  EXPECT_NE(finding->text.find("own ceiling; the job has ended by it"), std::string::npos) << finding->text;
}

TEST(OomKill, AChildsDeathOfAJobThatEndedByItselfStaysAWarning) {
  WatchedJob job(kOomKill);
  auto summary = exited(0);
  summary.outcome.usage.oom_kills = 1;
  const auto finding = job.look_when_gone(5ms, &summary);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kWarning);
}

TEST(OomKill, ReadWhileTheMainProcessWasDyingItIsToldAtTheEnd) {
  WatchedJob job(kOomKill);
  job.reading.ooms = 1U;
  job.reading.oom_kills = 1U;
  ASSERT_TRUE(job.look());
  const auto summary = memory_exceeded();
  const auto finding = job.look_when_gone(5ms, &summary);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::kCritical);
  EXPECT_FALSE(job.look_when_gone(500ms, &summary));
}

struct Whose {
  const char* name;
  CgroupVersion version;
  Figure ooms, hits, peak;
  const char* text;
};

class OomKillCeiling : public ::testing::TestWithParam<Whose> {};

TEST_P(OomKillCeiling, IsNamed) {
  WatchedJob job(kOomKill);
  job.reading.version = GetParam().version;
  job.reading.oom_kills = 1U;
  job.reading.ooms = GetParam().ooms;
  job.reading.memory_limit_hits = GetParam().hits;
  job.reading.memory_peak_bytes = GetParam().peak;
  const auto finding = job.look();
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->text.find(GetParam().text), std::string::npos) << finding->text;
}

const Figure kNone{Absence::kNoFile};
const Whose kWhose[] = {
    {"Own", CgroupVersion::kV2, 1U, 4U, 128 * kMiB, "own ceiling of 128.0 MiB"},
    {"Above", CgroupVersion::kV2, 0U, 0U, 40 * kMiB, "of a group above it, or of the host"},
    {"OwnOnV1", CgroupVersion::kV1, kNone, 9U, 128 * kMiB, "own ceiling of 128.0 MiB"},
    {"OwnOnV1WithTheSameLimitForSwap", CgroupVersion::kV1, kNone, 0U, 128 * kMiB, "own ceiling of 128.0 MiB"},
    {"AboveOnV1", CgroupVersion::kV1, kNone, 0U, 40 * kMiB, "of a group above it, or of the host"},
    {"NotTold", CgroupVersion::kV2, kNone, kNone, kNone, "at a ceiling that this kernel does not name"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, OomKillCeiling, ::testing::ValuesIn(kWhose),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace outrigger::rules
