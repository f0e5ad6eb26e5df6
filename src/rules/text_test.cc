#include "rules/text.h"

#include <gtest/gtest.h>

namespace outrigger::rules {
namespace {

using namespace std::chrono_literals;

TEST(Text, BytesAreInTheLargestUnitThatFits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.0 KiB");
  EXPECT_EQ(bytes_text(118ULL << 20), "118.0 MiB");
  EXPECT_EQ(bytes_text(3ULL << 29), "1.5 GiB");
  EXPECT_EQ(bytes_text(4096ULL << 40), "4096.0 TiB");
}

TEST(Text, TimesAreInSecondsFromOneOn) {
  EXPECT_EQ(time_text(400us), "0.4 ms");
  EXPECT_EQ(time_text(350ms), "350 ms");
  EXPECT_EQ(time_text(2500ms), "2.50 s");
}

TEST(Text, OneOfAThingIsSingular) {
  EXPECT_EQ(count_text(1, "OOM kill"), "1 OOM kill");
  EXPECT_EQ(count_text(0, "task"), "0 tasks");
}

TEST(Text, ALongListOfPidsIsCut) {
  EXPECT_EQ(pids_text({7, 8}), "7, 8");
  EXPECT_TRUE(pids_text(std::vector<pid_t>(40, 1)).ends_with(" and 24 more"));
}

TEST(Text, AJobWithoutACardHasNoTenant) {
  EXPECT_EQ(job_text({"j1", "acme", "python", {}, {}}), "job j1 of tenant acme");
  EXPECT_EQ(job_text({"j1", "", "", {}, {}}), "job j1");
}

}  // namespace
}  // namespace outrigger::rules
