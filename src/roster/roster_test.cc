#include "roster/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "roster/test_groups.h"
#include "roster/test_state.h"

// Cards in a state directory that point to groups of the running kernel. Time is what the tests say it is.
namespace outrigger::roster {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class RosterLive : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(estate_.open()); }

  Roster make(RosterOptions options = {}) {
    return {estate_, options, [this](const rules::Subject& subject, const rules::Finding& finding) {
              // Others may have groups beside ours.
              if (subject.job_id == id()) told_.emplace_back(finding.rule);
            }};
  }
  // A card by the group's own name, as jobs have it.
  wire::JobCard card(std::chrono::system_clock::time_point started_at = kStart) const {
    return card_of(id(), group_.path(sys::Controller::kMemory), started_at);
  }
  std::string id() const { return group_.name(); }
  static std::vector<std::string> ids(const std::vector<rules::Subject>& subjects) {
    std::vector<std::string> ids;
    for (const rules::Subject& subject : subjects) ids.push_back(subject.job_id);
    return ids;
  }
  // The one job that runs.
  static const TrackedJob& only(const Roster& roster) {
    const TrackedJob* found = nullptr;
    roster.for_each_running([&](const TrackedJob& job) { found = &job; });
    if (found == nullptr || roster.running() != 1) throw std::logic_error("not one job");
    return *found;
  }

  TestState state_;
  Estate estate_{state_.paths()};
  TestGroups groups_;
  probe::LiveGroup group_{groups_.places()};
  std::vector<std::string> told_;
  Roster roster_ = make();
  Roster::Clock::time_point now_ = Roster::Clock::now();
};

TEST_F(RosterLive, AJobIsReadAsSoonAsItsCardComes) {
  group_.start(::pause);
  ASSERT_TRUE(probe::eventually([this] { return group_.text(sys::Controller::kPids, "pids.current") == "1\n"; }));
  state_.put_card(card());
  roster_.card_came(id(), now_);
  ASSERT_EQ(roster_.running(), 1U);
  EXPECT_TRUE(roster_.is_running(id()));
  EXPECT_TRUE(only(roster_).seen());
  EXPECT_EQ(only(roster_).group().now()->pids.optional(), 1U);
  EXPECT_EQ(roster_.group_directory(id()), group_.path(sys::Controller::kMemory));
  EXPECT_EQ(roster_.driver(), group_.v2() ? "v2" : "v1");
  EXPECT_FALSE(roster_.trouble());
  const Death death = roster_.ended(summary_of(card()), now_ + 1s);
  EXPECT_TRUE(death.observed);
  EXPECT_EQ(death.cause.code, "exited");
  EXPECT_EQ(roster_.running(), 0U);
}

TEST_F(RosterLive, ARescanFindsWhatNoEventToldOf) {
  state_.put_card(card());
  roster_.rescan(now_);
  EXPECT_TRUE(roster_.is_running(id()));
  state_.remove_card(id());
  roster_.rescan(now_);
  EXPECT_EQ(roster_.running(), 0U);
  EXPECT_THAT(ids(roster_.without_summary(now_ + 1h, 60s)), ElementsAre(id()));
}

TEST_F(RosterLive, ACardThatIsStillThereHasNotGone) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  roster_.card_went(id(), now_);
  EXPECT_TRUE(roster_.is_running(id()));
}

TEST_F(RosterLive, FiguresOfAGroupThatDoesNothingStand) {
  group_.limit_pids(9);
  state_.put_card(card());
  roster_.card_came(id(), now_);
  ASSERT_EQ(only(roster_).group().now()->pids_limit.optional(), 9U);
  group_.limit_pids(7);
  roster_.look_at_all(now_ + 1s);
  EXPECT_EQ(only(roster_).group().now()->pids_limit.optional(), 9U);
  EXPECT_EQ(only(roster_).group().now()->at, now_ + 1s);
  // What it does brings a whole reading.
  group_.wait(group_.start([] { return probe::take_memory(1U << 20); }));
  roster_.look_at_all(now_ + 2s);
  EXPECT_EQ(only(roster_).group().now()->pids_limit.optional(), 7U);
}

TEST_F(RosterLive, AGroupThatIsRemovedIsGoneThoughItsCardIsNot) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  ASSERT_EQ(roster_.rows(kStart).size(), 1U);
  group_.remove();
  roster_.look_at(id(), now_ + 1s);
  EXPECT_TRUE(only(roster_).group().gone());
  EXPECT_THAT(roster_.rows(kStart), IsEmpty());
  EXPECT_EQ(roster_.memory_bytes(), 0U);
  // Who takes its name is another group.
  group_.make();
  roster_.look_at(id(), now_ + 2s);
  EXPECT_TRUE(only(roster_).group().gone());
}

TEST_F(RosterLive, MemoryIsTheSumOfAllThatRun) {
  group_.start([] {
    probe::take_memory(4U << 20);
    return ::pause();
  });
  state_.put_card(card());
  roster_.card_came(id(), now_);
  EXPECT_TRUE(probe::eventually([this] {
    roster_.look_at_all(now_ += 1s);
    return roster_.memory_bytes() >= 4U << 20;
  }));
}

TEST_F(RosterLive, AJobWhoseGroupWasNeverFoundIsKnownByItsCard) {
  state_.put_card(card_of("j1", "/nowhere/j1"));
  roster_.card_came("j1", now_);
  EXPECT_TRUE(roster_.is_running("j1"));
  EXPECT_FALSE(only(roster_).seen());
  EXPECT_EQ(roster_.group_directory("j1"), "");
  EXPECT_TRUE(roster_.trouble());
  const view::JobRow row = roster_.rows(kStart + 5s).at(0);
  EXPECT_EQ(row.age, 5s);
  EXPECT_FALSE(row.memory_bytes);
  EXPECT_FALSE(row.cpu_cores);
  EXPECT_FALSE(roster_.ended(summary_of(card_of("j1")), now_).observed);
}

TEST_F(RosterLive, ACardThatStaysAfterItsSummaryIsNoNewJob) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  roster_.ended(summary_of(card()), now_);
  roster_.card_came(id(), now_);
  roster_.rescan(now_);
  EXPECT_EQ(roster_.running(), 0U);
  state_.remove_card(id());
  roster_.card_went(id(), now_);
  EXPECT_THAT(roster_.without_summary(now_ + 1h, 60s), IsEmpty());
}

TEST_F(RosterLive, ALaterRunOfTheSameIdIsANewJob) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  roster_.ended(summary_of(card()), now_);
  state_.put_card(card(kStart + 2s));
  roster_.card_came(id(), now_);
  ASSERT_EQ(roster_.running(), 1U);
  EXPECT_EQ(only(roster_).subject().started_at, kStart + 2s);
}

TEST_F(RosterLive, ASummaryEndsTheRunItTellsOf) {
  const wire::JobCard first = card();
  const wire::JobCard second = card(kStart + 2s);
  state_.put_card(first);
  roster_.card_came(id(), now_);
  state_.put_card(second);
  roster_.card_came(id(), now_);
  ASSERT_EQ(only(roster_).subject().started_at, second.started_at);
  EXPECT_TRUE(roster_.ended(summary_of(first), now_).observed);
  ASSERT_EQ(only(roster_).subject().started_at, second.started_at);
  EXPECT_TRUE(roster_.ended(summary_of(second), now_).observed);
  EXPECT_EQ(roster_.running(), 0U);
  // Each has been summarised now.
  EXPECT_FALSE(roster_.ended(summary_of(second), now_).observed);
}

TEST_F(RosterLive, ARunBeforeTheCardsIsNotTheCards) {
  state_.put_card(card(kStart + 1h));
  roster_.card_came(id(), now_);
  EXPECT_FALSE(roster_.ended(summary_of(card()), now_).observed);
  EXPECT_TRUE(roster_.is_running(id()));
}

TEST_F(RosterLive, WhoseSummaryDoesNotComeIsNamedOnceAfterPatience) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  state_.remove_card(id());
  roster_.card_went(id(), now_);
  EXPECT_THAT(roster_.without_summary(now_ + 59s, 60s), IsEmpty());
  EXPECT_THAT(ids(roster_.without_summary(now_ + 60s, 60s)), ElementsAre(id()));
  EXPECT_THAT(roster_.without_summary(now_ + 1h, 60s), IsEmpty());
}

TEST_F(RosterLive, ASummaryThatComesLateIsNotMissedAnyMore) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  state_.remove_card(id());
  roster_.card_went(id(), now_);
  EXPECT_TRUE(roster_.ended(summary_of(card()), now_ + 59s).observed);
  EXPECT_THAT(roster_.without_summary(now_ + 1h, 60s), IsEmpty());
}

TEST_F(RosterLive, MoreJobsThanAreWatchedAreCountedOnceEach) {
  Roster roster = make({.max_jobs = 1});
  state_.put_card(card());
  roster.card_came(id(), now_);
  state_.put_card(card_of("j2"));
  roster.card_came("j2", now_);
  roster.rescan(now_);
  roster.rescan(now_);
  EXPECT_EQ(roster.running(), 1U);
  EXPECT_EQ(roster.turned_away(), 1U);
  // One of them has its turn when there is room.
  roster.ended(summary_of(card()), now_);
  roster.rescan(now_);
  EXPECT_TRUE(roster.is_running("j2"));
  EXPECT_EQ(roster.turned_away(), 1U);
}

TEST_F(RosterLive, AnEmptyGroupIsToldOfFiveSecondsAfterItsJobsEndAndForgottenInTheEnd) {
  state_.put_card(card());
  roster_.card_came(id(), now_);
  roster_.ended(summary_of(card()), now_);
  roster_.look_at_all(now_ + 4s);
  EXPECT_THAT(told_, IsEmpty());
  roster_.look_at_all(now_ + 5s);
  EXPECT_THAT(told_, ElementsAre("leaked_cgroup"));
  roster_.look_at_all(now_ + 2min);
  roster_.look_at_all(now_ + 4min);
  EXPECT_EQ(told_.size(), 1U);
}

TEST_F(RosterLive, ASummaryOfAJobNobodySawIsHeldAgainstItself) {
  wire::Termination summary = summary_of(card());
  summary.outcome.exit_code = 3;  // and yet "completed"
  const Death death = roster_.ended(summary, now_);
  EXPECT_FALSE(death.observed);
  EXPECT_FALSE(death.cycles.count);
  EXPECT_THAT(told_, ElementsAre("disagreement"));
}

TEST_F(RosterLive, HistoryIsKeptWhereItIsAskedFor) {
  Roster roster = make({.history = true});
  state_.put_card(card());
  roster.card_came(id(), now_);
  EXPECT_EQ(roster.rows(kStart).at(0).history.memory.size(), 1U);
  roster_.card_came(id(), now_);
  EXPECT_EQ(roster_.rows(kStart).at(0).history.memory.size(), 0U);
}

}  // namespace
}  // namespace outrigger::roster
