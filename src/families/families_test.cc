#include "families/families.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace outrigger::families {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Families, ACounterHasItsHelpItsTypeAndASeriesForEachLabel) {
  Families all;
  auto& family = begin_counter(all, "lines_total", "Lines written.");
  add(family, {{"ledger", "execution"}}, std::uint64_t{3});
  add(family, {{"ledger", "incidents"}}, std::uint64_t{0});
  const std::string text = to_text(all);
  EXPECT_THAT(text, HasSubstr("# HELP lines_total Lines written.\n# TYPE lines_total counter\n"));
  EXPECT_THAT(text, HasSubstr("lines_total{ledger=\"execution\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("lines_total{ledger=\"incidents\"} 0\n"));
}

TEST(Families, AGaugeWithoutLabelsIsANumber) {
  Families all;
  add(begin_gauge(all, "share", "A share."), {}, 0.65);
  EXPECT_THAT(to_text(all), HasSubstr("# TYPE share gauge\nshare 0.65\n"));
}

TEST(Families, CountsAreExactUpTo2To53) {
  Families all;
  add(begin_counter(all, "bytes_total", "Bytes."), {}, (std::uint64_t{1} << 53U) - 1);
  EXPECT_THAT(to_text(all), HasSubstr("bytes_total 9007199254740991\n"));
}

TEST(Families, AHistogramsBucketsAreCumulativeAndEndWithAll) {
  Families all;
  const std::array bounds{0.1, 1.0};
  const std::array<std::uint64_t, 3> counts{2, 3, 4};
  add(begin_histogram(all, "took_seconds", "How long it took."), {{"step", "spawn"}}, bounds, counts,
      std::chrono::milliseconds(2500));
  const std::string text = to_text(all);
  EXPECT_THAT(text, HasSubstr("# TYPE took_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("took_seconds_bucket{step=\"spawn\",le=\"0.1\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("took_seconds_bucket{step=\"spawn\",le=\"1\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("took_seconds_bucket{step=\"spawn\",le=\"+Inf\"} 9\n"));
  EXPECT_THAT(text, HasSubstr("took_seconds_count{step=\"spawn\"} 9\n"));
  EXPECT_THAT(text, HasSubstr("took_seconds_sum{step=\"spawn\"} 2.5\n"));
}

TEST(Families, AFamilyWithoutSeriesHasNoValue) {
  Families all;
  begin_gauge(all, "nothing", "Of which there is none.");
  EXPECT_THAT(to_text(all), Not(testing::ContainsRegex("(^|\n)nothing")));
}

TEST(Families, ALabelsTextCannotEndItsLine) {
  Families all;
  add(begin_gauge(all, "hostile", "Whatever it says."), {{"tenant_id", "a\"} 1\nforged 2\\"}}, 1.0);
  const std::string text = to_text(all);
  EXPECT_THAT(text, HasSubstr(R"(hostile{tenant_id="a\"} 1\nforged 2\\"} 1)"));
  EXPECT_THAT(text, Not(HasSubstr("\nforged")));
}

TEST(Families, TheProcessIsShownByTheNamesEveryLibraryGives) {
  Families all;
  sys::OwnProcess process;
  process.cpu_time = std::chrono::milliseconds(1500);
  process.resident_bytes = 4096;
  add_process(all, process, "the test");
  const std::string text = to_text(all);
  EXPECT_THAT(text, HasSubstr("process_cpu_seconds_total 1.5\n"));
  EXPECT_THAT(text, HasSubstr("process_resident_memory_bytes 4096\n"));
  EXPECT_THAT(text, HasSubstr("# HELP process_open_fds File descriptors the test has open.\n"));
}

}  // namespace
}  // namespace outrigger::families
