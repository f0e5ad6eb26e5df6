#include "rules/ceiling.h"

#include <gtest/gtest.h>

namespace outrigger::rules {
namespace {

using probe::Absence;
using probe::Figure;
using sys::CgroupVersion;

constexpr std::uint64_t kMiB = 1ULL << 20;
constexpr std::uint64_t kLimit = 128 * kMiB;

struct Case {
  const char* name;
  CgroupVersion version;
  Figure ooms, hits, peak, limit;
  Ceiling ceiling;
};

class CeilingByReading : public ::testing::TestWithParam<Case> {};

TEST_P(CeilingByReading, IsToldApart) {
  probe::Reading reading;
  reading.version = GetParam().version;
  reading.ooms = GetParam().ooms;
  reading.memory_limit_hits = GetParam().hits;
  reading.memory_peak_bytes = GetParam().peak;
  reading.memory_limit_bytes = GetParam().limit;
  EXPECT_EQ(ceiling_of(reading, {}), GetParam().ceiling);
}

const Figure kNone{Absence::kNoFile};
const Case kCases[] = {
    {"OwnOoms", CgroupVersion::kV2, 1U, 9U, kLimit, kLimit, Ceiling::kOwn},
    {"NoOwnOomThoughTheLimitWasHit", CgroupVersion::kV2, 0U, 9U, kLimit, kLimit, Ceiling::kAbove},
    {"NoLocalFileAndNeverAtTheLimit", CgroupVersion::kV2, kNone, 0U, kNone, kLimit, Ceiling::kAbove},
    {"NoLocalFileAndAtTheLimit", CgroupVersion::kV2, kNone, 3U, kNone, kLimit, Ceiling::kOwn},
    {"V1FailcntRose", CgroupVersion::kV1, kNone, 140U, kNone, kLimit, Ceiling::kOwn},
    {"V1FailcntZeroButThePeakIsTheLimit", CgroupVersion::kV1, kNone, 0U, kLimit, kLimit, Ceiling::kOwn},
    {"V1FailcntZeroAndThePeakIsWithinABatch", CgroupVersion::kV1, kNone, 0U, kLimit - 4096, kLimit, Ceiling::kOwn},
    {"V1NeverNearTheLimit", CgroupVersion::kV1, kNone, 0U, 60 * kMiB, kLimit, Ceiling::kAbove},
    {"V1WithoutAPeak", CgroupVersion::kV1, kNone, 0U, kNone, kLimit, Ceiling::kUnknown},
    {"NothingKnown", CgroupVersion::kV2, kNone, kNone, kNone, kNone, Ceiling::kUnknown},
};

INSTANTIATE_TEST_SUITE_P(Kernels, CeilingByReading, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(CeilingBySummary, TakesTheLimitFromTheCard) {
  wire::Termination summary;
  summary.cgroup_driver = "v1";
  summary.outcome.usage.memory_limit_hits = 0;
  summary.outcome.usage.peak_memory_bytes = 60 * kMiB;
  EXPECT_EQ(ceiling_of(summary, kLimit), Ceiling::kAbove);
  EXPECT_EQ(ceiling_of(summary, {}), Ceiling::kUnknown);
  summary.cgroup_driver = "v2";
  EXPECT_EQ(ceiling_of(summary, {}), Ceiling::kAbove);
}

TEST(MemoryKillsOfTwoWitnesses, WhoCountedMoreKnowsTheLast) {
  probe::Reading reading;
  reading.oom_kills = 1U;
  reading.ooms = 0U;
  wire::Termination summary;
  summary.cgroup_driver = "v2";
  summary.outcome.usage.oom_kills = 2;
  summary.outcome.usage.memory_limit_hits = 4;
  const MemoryKills both = memory_kills(&reading, &summary, {});
  EXPECT_EQ(both.count, 2U);
  EXPECT_EQ(both.ceiling, Ceiling::kOwn);
  EXPECT_FALSE(both.by_reading);
  const MemoryKills alone = memory_kills(&reading, nullptr, {});
  EXPECT_EQ(alone.ceiling, Ceiling::kAbove);
  EXPECT_TRUE(alone.by_reading);
}

TEST(MemoryKillsOfTwoWitnesses, PressureIsNoKill) {
  probe::Reading reading;
  reading.ooms = 3U;
  reading.oom_kills = 0U;
  EXPECT_EQ(memory_kills(&reading, nullptr, {}).count, 0U);
}

TEST(MemoryKillsOfTwoWitnesses, AMissingCountIsNoKill) {
  const probe::Reading reading;
  EXPECT_EQ(memory_kills(&reading, nullptr, {}).count, 0U);
  EXPECT_EQ(memory_kills(nullptr, nullptr, {}).count, 0U);
}

}  // namespace
}  // namespace outrigger::rules
