#include "pool/job_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::pool {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr auto kBounds = std::to_array({0.001, 0.005, 1.0});

std::vector<std::uint64_t> counts_of(const Histogram& histogram) {
  return {histogram.counts().begin(), histogram.counts().end()};
}

std::uint64_t total_of(const Histogram& histogram) {
  std::uint64_t total = 0;
  for (const std::uint64_t each : histogram.counts()) total += each;
  return total;
}

model::Outcome outcome(model::Status status) {
  model::Outcome out;
  out.language = "py";
  out.status = status;
  out.wall_time = 30ms;
  out.queue_time = 10ms;
  return out;
}

model::SecurityEvent violation(std::string syscall, std::uint64_t count = 1) {
  return {"seccomp_violation", "d", count, std::move(syscall), {}};
}

TEST(Histogram, CountsAValueOnItsBoundBelowIt) {
  Histogram histogram(kBounds);
  for (const auto value : {0us, 1000us, 1001us, 5000us, 5001us, 1'000'000us}) histogram.observe(value);
  EXPECT_THAT(counts_of(histogram), ElementsAre(2, 2, 2, 0));
}

TEST(Histogram, LosesNothingAboveItsLastBound) {
  Histogram histogram(kBounds);
  histogram.observe(1'000'001us);
  histogram.observe(24h);
  EXPECT_THAT(counts_of(histogram), ElementsAre(0, 0, 0, 2));
  EXPECT_EQ(histogram.sum(), 24h + 1'000'001us);
}

TEST(JobCounters, BeginWithZeroForWhatMayCome) {
  model::Runtime python;
  python.name = "python";
  const std::vector<const model::Runtime*> runtimes{&python};
  const JobCounters counters{runtimes};
  ASSERT_TRUE(counters.languages.contains("python"));
  EXPECT_THAT(counters.languages.at("python").by_status, ::testing::Each(0U));
  EXPECT_EQ(counters.languages.size(), 1U);
  EXPECT_EQ(counters.security_events.size(), model::kSecurityEventTypes.size());
}

TEST(JobCounters, CountAJobUnderItsRuntimeAndStatus) {
  JobCounters counters;
  counters.add("python", outcome(model::Status::kTimeout), 45ms);
  counters.add("python", outcome(model::Status::kTimeout), 45ms);
  counters.add("node", outcome(model::Status::kFailed), 45ms);
  ASSERT_EQ(counters.languages.size(), 2U) << "what the caller called it is no key";
  EXPECT_THAT(counters.languages.at("python").by_status, ElementsAre(0, 0, 2, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(counters.languages.at("node").by_status, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0));
}

TEST(JobCounters, TellOverheadFromWaitingAndRunning) {
  JobCounters counters;
  counters.add("python", outcome(model::Status::kCompleted), 45ms);
  EXPECT_EQ(counters.languages.at("python").durations.at(model::Status::kCompleted).sum(), 30ms);
  EXPECT_EQ(counters.queue.sum(), 10ms);
  EXPECT_EQ(counters.overhead.sum(), 5ms);
  counters.add("python", outcome(model::Status::kCompleted), 1ms);
  EXPECT_EQ(counters.overhead.sum(), 5ms) << "two clocks that disagree make no negative time";
  EXPECT_EQ(total_of(counters.overhead), 2U);
}

TEST(JobCounters, TakeNoTimesFromWhatDidNotRun) {
  JobCounters counters;
  counters.add("python", outcome(model::Status::kInternalError), 45ms);
  EXPECT_EQ(counters.languages.at("python").by_status.back(), 1U);
  EXPECT_EQ(counters.languages.at("python").durations.size(), 1U);
  EXPECT_EQ(total_of(counters.languages.at("python").durations.at(model::Status::kCompleted)), 0U);
  EXPECT_EQ(total_of(counters.overhead), 0U);
  EXPECT_EQ(total_of(counters.queue), 1U);
}

TEST(JobCounters, CountAnEventOnceAndItsCallsAndKillsEach) {
  JobCounters counters;
  model::Outcome out = outcome(model::Status::kSecurityViolation);
  out.security_events = {violation("socket", 3), violation("ptrace"), {"pids_limit", "d", 100'000, {}, {}}};
  out.usage.oom_kills = 2;
  counters.add("python", out, 45ms);
  counters.add("python", outcome(model::Status::kCompleted), 45ms);
  EXPECT_EQ(counters.security_events.at("seccomp_violation"), 2U);
  EXPECT_EQ(counters.security_events.at("pids_limit"), 1U);
  EXPECT_THAT(counters.seccomp_violations, UnorderedElementsAre(Pair("socket", 3), Pair("ptrace", 1)));
  EXPECT_EQ(counters.oom_kills, 2U);
}

TEST(JobCounters, AGuestThatMakesUpNumbersMakesNoSeries) {
  JobCounters counters;
  model::Outcome out = outcome(model::Status::kSecurityViolation);
  out.security_events = {violation("i386:999999"), violation("x32:1073742999"), violation("arch c000003e:7"),
                         violation("123456"), violation("i386:socketcall")};
  counters.add("python", out, 45ms);
  EXPECT_THAT(counters.seccomp_violations, UnorderedElementsAre(Pair("other", 4), Pair("i386:socketcall", 1)));
}

TEST(BoundedSyscall, LeavesNamesAlone) {
  for (const char* name : {"socket", "_sysctl", "i386:_llseek", "x32:getpid"}) EXPECT_EQ(bounded_syscall(name), name);
  for (const char* made_up : {"", "7", "i386:7", "x32:", "arch c000003e:7"}) {
    EXPECT_EQ(bounded_syscall(made_up), "other") << made_up;
  }
}

}  // namespace
}  // namespace outrigger::pool
