#include "probe/parse.h"

#include <gtest/gtest.h>

#include <string>

#include "probe/parse_proc.h"

namespace outrigger::probe {
namespace {

std::string shown(const Figure& figure) {
  return figure ? std::to_string(*figure) : std::string(absence_text(figure.absence()));
}
std::string absent(Absence why) { return std::string(absence_text(why)); }

TEST(ParseNumber, IsTheWholeTextOrNothing) {
  EXPECT_EQ(shown(parse_number("42\n")), "42");
  EXPECT_EQ(shown(parse_number("18446744073709551615\n")), "18446744073709551615");
  EXPECT_EQ(shown(parse_number("max\n")), absent(Absence::kNoLimit));
  for (const char* text :
       {"", "\n", "-1\n", "+1\n", "4 2\n", "42 kB\n", "0x2a\n", "18446744073709551616\n", "maximum\n"})
    EXPECT_EQ(shown(parse_number(text)), absent(Absence::kMalformed)) << text;
}

struct KeyCase {
  const char* text;
  const char* key;
  Figure expected;
};

TEST(ParseKey, MatchesKeysExactlyAndTellsMissingFromMalformed) {
  const KeyCase cases[] = {
      {"low 0\nhigh 0\nmax 9\noom 3\noom_kill 0\n", "oom_kill", 0},
      {"low 0\nhigh 0\nmax 9\noom 3\noom_kill 0\n", "oom", 3},
      {"oom 3\n", "oom_kill", Absence::kNoKey},                                    // kernels before 4.13
      {"oom 3\noom_group_kill 2\nsock_throttled 1\noom_kill 5\n", "oom_kill", 5},  // newer kernels know more
      {"oom_kill_disable 0\nunder_oom 0\n", "oom_kill", Absence::kNoKey},
      {"oom_kill_disable 0\nunder_oom 0\noom_kill 7\n", "oom_kill", 7},
      {"usage_usec 5\nuser_usec 3\nsystem_usec 2\n", "throttled_usec", Absence::kNoKey},
      {"usage_usec 5\nuser_usec 3\nsystem_usec 2\n", "usage_usec", 5},
      {"max 0", "max", 0},
      {"oom_kill x\n", "oom_kill", Absence::kMalformed},
      {"oom_kill -1\n", "oom_kill", Absence::kMalformed},
      {"oom_kill \n", "oom_kill", Absence::kMalformed},
      {"oom_kill\n", "oom_kill", Absence::kMalformed},
      {"", "oom_kill", Absence::kNoKey},
  };
  for (const KeyCase& one : cases) EXPECT_EQ(shown(parse_key(one.text, one.key)), shown(one.expected)) << one.text;
}

TEST(ParseCpuMax, GivesQuotaAndPeriod) {
  EXPECT_EQ(shown(parse_cpu_max("50000 100000\n").quota_usec), "50000");
  EXPECT_EQ(shown(parse_cpu_max("50000 100000\n").period_usec), "100000");
  EXPECT_EQ(shown(parse_cpu_max("max 100000\n").quota_usec), absent(Absence::kNoLimit));
  EXPECT_EQ(shown(parse_cpu_max("max 100000\n").period_usec), "100000");
  EXPECT_EQ(shown(parse_cpu_max("50000\n").quota_usec), absent(Absence::kMalformed));
  EXPECT_EQ(shown(parse_cpu_max("1 max\n").period_usec), absent(Absence::kMalformed));
}

TEST(ParseV1Limits, WhatIsNoneIsNone) {
  EXPECT_EQ(shown(parse_v1_memory_limit("9223372036854771712\n")), absent(Absence::kNoLimit));
  EXPECT_EQ(shown(parse_v1_memory_limit("9223372036854710272\n")), absent(Absence::kNoLimit)) << "pages of 64 KiB";
  EXPECT_EQ(shown(parse_v1_memory_limit("67108864\n")), "67108864");
  EXPECT_EQ(shown(parse_v1_quota("-1\n")), absent(Absence::kNoLimit));
  EXPECT_EQ(shown(parse_v1_quota("-2\n")), absent(Absence::kMalformed));
  EXPECT_EQ(shown(parse_v1_quota("10000\n")), "10000");
}

TEST(ParsePressure, IsInHundredthsOfAPercent) {
  EXPECT_EQ(shown(parse_pressure("some avg10=1.23 avg60=0.50 avg300=0.10 total=77\nfull avg10=9.99 total=1\n")), "123");
  EXPECT_EQ(shown(parse_pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")), "0");
  EXPECT_EQ(shown(parse_pressure("some avg10=100.00 total=0\n")), "10000");
  EXPECT_EQ(shown(parse_pressure("full avg10=9.99 total=1\n")), absent(Absence::kNoKey));
  for (const char* text : {"some avg10=\n", "some avg10=1\n", "some avg10=1.2\n", "some avg10=1.234\n",
                           "some avg10=.12\n", "some avg10=101.00\n", "some avg10=-1.00\n"})
    EXPECT_EQ(shown(parse_pressure(text)), absent(Absence::kMalformed)) << text;
}

TEST(ParseNanoseconds, BecomeMicrosecondsAndAbsencesStay) {
  EXPECT_EQ(shown(microseconds_of(Figure(2'500'999))), "2500");
  EXPECT_EQ(shown(microseconds_of(Absence::kNoKey)), absent(Absence::kNoKey));
}

TEST(ParseMeminfo, IsInBytes) {
  EXPECT_EQ(shown(parse_meminfo("MemTotalX: 1 kB\nMemTotal:       16384 kB\nMemFree: 1 kB\n", "MemTotal")), "16777216");
  EXPECT_EQ(shown(parse_meminfo("MemFree: 1 kB\n", "MemTotal")), absent(Absence::kNoKey));
  for (const char* text : {"MemTotal: 5\n", "MemTotal: kB\n", "MemTotal:\n", "MemTotal: 18446744073709551615 kB\n"})
    EXPECT_EQ(shown(parse_meminfo(text, "MemTotal")), absent(Absence::kMalformed)) << text;
}

TEST(ParsePids, AreOneALine) {
  EXPECT_EQ(parse_pids("12\n0\n7\n"), (std::vector<pid_t>{12, 0, 7}));
  EXPECT_EQ(parse_pids("x\n-3\n99999999999\n5"), (std::vector<pid_t>{5}));
  EXPECT_TRUE(parse_pids("").empty());
}

TEST(ParseNamespace, IsTheNumberInTheLink) {
  EXPECT_EQ(parse_namespace("pid:[4026531836]"), 4026531836U);
  for (const char* link : {"", "pid:[]", "pid:[4026531836", "mnt:[4026531836]", "pid:[-1]"})
    EXPECT_EQ(parse_namespace(link), std::nullopt) << link;
}

TEST(ParseNspid, GivesTheInnermostAndHowDeepItLies) {
  const auto jailed = parse_nspid("Name:\tx\nPid:\t40\nNSpid:\t40\t1\nNSpgid:\t1\t1\n");
  ASSERT_TRUE(jailed);
  EXPECT_EQ(jailed->depth, 2U);
  EXPECT_EQ(jailed->innermost, 1);
  EXPECT_EQ(parse_nspid("NSpid:\t40\n")->depth, 1U);
  for (const char* text : {"", "NSpid:\n", "NSpid:\tx\n", "NSpid:\t4\t-1\n"}) EXPECT_FALSE(parse_nspid(text)) << text;
}

TEST(ParseCpuList, ExpandsRangesAndRefusesWhatIsNone) {
  EXPECT_EQ(parse_cpu_list("0-2,5\n"), (std::vector<unsigned>{0, 1, 2, 5}));
  EXPECT_EQ(parse_cpu_list("0\n"), (std::vector<unsigned>{0}));
  for (const char* text : {"", "\n", "1-\n", "-1\n", "2-1\n", "0,0\n", "0-4294967295\n", "a\n"})
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
}

}  // namespace
}  // namespace outrigger::probe
