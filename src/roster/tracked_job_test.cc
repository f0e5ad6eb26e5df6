#include "roster/tracked_job.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/live_group.h"
#include "roster/test_state.h"

// Groups of the running kernel.
namespace outrigger::roster {
namespace {

using namespace std::chrono_literals;

class TrackedJobLive : public testing::Test {
 protected:
  TrackedJob make() {
    TrackedJob job(card_of(group_.name()), places());
    job.group().attach(std::move(probe::Group::open(group_.places(), group_.name(), budget_).value()));
    return job;
  }
  // The job shares what the fixture owns.
  std::shared_ptr<const probe::OpenPlaces> places() const {
    return {&group_.places(), [](const auto*) {}};
  }

  probe::LiveGroup group_;
  probe::DescriptorBudget budget_;
  TrackedJob::Clock::time_point now_ = TrackedJob::Clock::now();
};

TEST_F(TrackedJobLive, BeforeItsFirstReadingNothingIsKnown) {
  TrackedJob job = make();
  EXPECT_FALSE(job.seen());
  EXPECT_EQ(job.group().now(), nullptr);
  EXPECT_FALSE(job.memory_bytes());
  EXPECT_FALSE(job.row(kStart).pids);
  EXPECT_EQ(job.row(kStart).pids_limit, model::Limits{}.pids);
}

TEST_F(TrackedJobLive, CpuUseIsTheRiseBetweenTwoLooks) {
  group_.start(probe::be_busy);
  TrackedJob job = make();
  job.look(now_);
  EXPECT_FALSE(job.row(kStart).cpu_cores);
  const std::uint64_t before = *job.group().now()->cpu_usage_usec;
  ASSERT_TRUE(probe::eventually([&] {
    job.look(now_ + 1s);
    return *job.group().now()->cpu_usage_usec > before;
  }));
  // The time between looks is what they were told, and here it did not pass: the last two were at the same moment.
  job.look(now_ + 2s);
  const auto row = job.row(kStart);
  ASSERT_TRUE(row.cpu_cores);
  EXPECT_GE(*row.cpu_cores, 0);
  EXPECT_EQ(row.cpu_usage_usec, job.group().now()->cpu_usage_usec.optional());
}

TEST_F(TrackedJobLive, WhatIsReadAfterTheEndIsFinalAndSaysWhoKilled) {
  group_.limit_memory(16ULL << 20);
  TrackedJob job = make();
  job.look(now_);
  const int status = group_.wait(group_.start([] { return probe::take_memory(64U << 20); }));
  ASSERT_TRUE(WIFSIGNALED(status));
  wire::Termination summary = rules::memory_exceeded();
  summary.outcome.job_id = group_.name();
  job.end(now_ + 1s, &summary);
  EXPECT_TRUE(job.summarised());
  EXPECT_EQ(job.ended_at(), now_ + 1s);
  const rules::CauseOfDeath cause = job.cause_of_death(summary);
  EXPECT_EQ(cause.code, "memory_ceiling") << cause.text;
  EXPECT_EQ(cause.confidence, rules::Confidence::kCertain) << cause.text;
}

TEST_F(TrackedJobLive, AJobThatDidNothingSinceIsStillJudgedAfterItsEnd) {
  TrackedJob job = make();
  job.look(now_);
  job.end(now_ + 1s, nullptr);
  EXPECT_TRUE(job.look(now_ + 5s).empty());
  const auto findings = job.look(now_ + 6s);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "leaked_cgroup");
  EXPECT_EQ(job.findings().size(), 1U);
}

TEST_F(TrackedJobLive, TheEndIsWhenItWasToldFirst) {
  TrackedJob job = make();
  job.end(now_, nullptr);
  EXPECT_FALSE(job.summarised());
  const wire::Termination summary = summary_of(card_of(group_.name()));
  job.end(now_ + 9s, &summary);
  EXPECT_EQ(job.ended_at(), now_);
  EXPECT_TRUE(job.summarised());
}

TEST_F(TrackedJobLive, CyclesComeWithTheTimeTheyWereCountedOverOrWithAReason) {
  TrackedJob job = make();
  EXPECT_FALSE(job.group().cycles().why_not.empty());
  const auto hierarchy = probe::find_cycle_counting(group_.places().places());
  // As it is done for each job: before the first look.
  if (hierarchy) job.group().count_cycles(*hierarchy);
  job.look(now_);
  group_.wait(group_.start([] { return probe::take_memory(1U << 20); }));
  job.end(now_ + 1s, nullptr);
  EXPECT_TRUE(!job.group().cycles().count || job.group().cycles().over_cpu_usec);
  EXPECT_TRUE(job.group().cycles().count || !job.group().cycles().why_not.empty());
}

TEST_F(TrackedJobLive, AMarkASecondGoesIntoItsHistory) {
  TrackedJob job = make();
  job.keep_history();
  for (const auto after : {0ms, 500ms, 999ms, 1000ms, 1500ms, 2000ms}) job.look(now_ + after);
  EXPECT_EQ(job.row(kStart).history.memory.size(), 3U);
}

TEST_F(TrackedJobLive, AgeIsNeverNegative) { EXPECT_EQ(make().row(kStart - 1h).age, 0ms); }

}  // namespace
}  // namespace outrigger::roster
