#include "witness/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "probe/live_group.h"
#include "witness/test_ledgers.h"

namespace outrigger::witness {
namespace {

using namespace std::chrono_literals;
using probe::eventually;
using roster::card_of;
using roster::kStart;
using roster::summary_of;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// An auditor as far as it takes summaries in. Another may follow it on the same state directory.
class Auditor {
 public:
  explicit Auditor(const roster::TestState& state, std::size_t most_queued = 1000)
      : ledgers(state, most_queued), estate_(state.paths()) {
    if (!estate_.open()) throw std::runtime_error("no estate");
  }

  void take(const std::string& file) { intake.take(file, roster::Roster::Clock::now()); }
  void take_all() { intake.take_all(roster::Roster::Clock::now()); }
  // All that was taken is in the ledger, and its summary removed.
  [[nodiscard]] bool settles() {
    return eventually([this] {
      intake.settle();
      return intake.under_way() == 0;
    });
  }
  [[nodiscard]] std::vector<std::string> lines(const std::string& job_id) const {
    return ledgers.lines(kExecutionLedger, {.job_id = job_id});
  }
  [[nodiscard]] std::uint64_t told(const std::string& rule) const {
    const auto found = incidents.by_rule().find(rule);
    return found == incidents.by_rule().end() ? 0 : found->second;
  }

  TestLedgers ledgers;

 private:
  Alerts alerts_{"", ""};
  roster::Estate estate_;

 public:
  Incidents incidents{ledgers.incidents(), alerts_};
  roster::Roster roster{
      estate_, {}, [this](const auto& subject, const auto& finding) { incidents.report(subject, finding); }};
  Intake intake{estate_, roster, ledgers.execution(), incidents, ledgers.dir()};
};

class IntakeTest : public testing::Test {
 protected:
  static wire::Termination summary(const std::string& job_id, std::chrono::milliseconds after_start = 0ms) {
    return summary_of(card_of(job_id, "/nowhere/" + job_id, kStart + after_start));
  }
  static wire::Termination cut_short(const std::string& job_id, std::chrono::milliseconds after_start) {
    wire::Termination summary = rules::interrupted();
    summary.outcome.job_id = job_id;
    summary.outcome.started_at = kStart + after_start;
    summary.outcome.ended_at = kStart + after_start;
    return summary;
  }
  bool has(const std::string& file) const { return state_.has_summary(file); }

  roster::TestState state_;
};

TEST_F(IntakeTest, ASummaryIsRemovedOnlyWhenItsLineIsOnTheDisk) {
  Auditor auditor(state_);
  auditor.ledgers.fill_disk(true);
  const std::string file = state_.put_summary(summary("j1"));
  auditor.take(file);
  ASSERT_TRUE(eventually([&] { return auditor.ledgers.execution().state().errors > 0; }));
  auditor.intake.settle();
  EXPECT_TRUE(has(file));
  EXPECT_EQ(auditor.intake.under_way(), 1U);
  EXPECT_THAT(auditor.lines("j1"), IsEmpty());
  auditor.ledgers.fill_disk(false);
  ASSERT_TRUE(auditor.settles());
  EXPECT_FALSE(has(file));
  ASSERT_THAT(auditor.lines("j1"), SizeIs(1));
  EXPECT_THAT(auditor.lines("j1")[0], HasSubstr(R"("tenant_id":"acme")"));
}

TEST_F(IntakeTest, ASummaryThatIsOnItsWayIsNotTakenAgain) {
  Auditor auditor(state_);
  auditor.ledgers.fill_disk(true);
  const std::string file = state_.put_summary(summary("j1"));
  for (int i = 0; i < 3; ++i) auditor.take(file);
  auditor.take_all();
  auditor.ledgers.fill_disk(false);
  ASSERT_TRUE(auditor.settles());
  EXPECT_THAT(auditor.lines("j1"), SizeIs(1));
}

TEST_F(IntakeTest, ASummaryThatComesAgainAfterItsLineIsRemovedOnly) {
  Auditor auditor(state_);
  auditor.take(state_.put_summary(summary("j1")));
  ASSERT_TRUE(auditor.settles());
  const std::string file = state_.put_summary(summary("j1"));
  auditor.take(file);
  EXPECT_FALSE(has(file));
  EXPECT_THAT(auditor.lines("j1"), SizeIs(1));
}

TEST_F(IntakeTest, ARunThatHasALineWasNotCutShort) {
  Auditor auditor(state_);
  auditor.take(state_.put_summary(summary("j1")));
  ASSERT_TRUE(auditor.settles());
  const std::string file = state_.put_summary(cut_short("j1", 300ms));
  auditor.take(file);
  EXPECT_FALSE(has(file));
  EXPECT_THAT(auditor.lines("j1"), SizeIs(1));
}

TEST_F(IntakeTest, ARunThatHasNoneWasAndGetsOne) {
  Auditor auditor(state_);
  auditor.take(state_.put_summary(summary("j1")));
  ASSERT_TRUE(auditor.settles());
  auditor.take(state_.put_summary(cut_short("j1", 10min)));
  ASSERT_TRUE(auditor.settles());
  auditor.take(state_.put_summary(cut_short("j2", 0ms)));
  ASSERT_TRUE(auditor.settles());
  EXPECT_THAT(auditor.lines("j1"), SizeIs(2));
  ASSERT_THAT(auditor.lines("j2"), SizeIs(1));
  EXPECT_THAT(auditor.lines("j2")[0], HasSubstr(R"("status":"interrupted")"));
}

TEST_F(IntakeTest, WhileALineIsOnItsWayItIsNotYetKnownWhatWasCutShort) {
  Auditor auditor(state_);
  auditor.ledgers.fill_disk(true);
  auditor.take(state_.put_summary(summary("j1")));
  const std::string file = "j1-again.json";
  const wire::Termination again = cut_short("j1", 300ms);
  state_.put("terminations/" + file, wire::termination_json(again.outcome, "", ""));
  auditor.take(file);
  EXPECT_TRUE(has(file));
  auditor.ledgers.fill_disk(false);
  ASSERT_TRUE(auditor.settles());
  EXPECT_TRUE(has(file));
  auditor.take_all();
  EXPECT_FALSE(has(file));
  EXPECT_THAT(auditor.lines("j1"), SizeIs(1));
}

TEST_F(IntakeTest, AnotherStartOfTheSameIdIsAnotherLine) {
  Auditor auditor(state_);
  for (const auto after : {0ms, 1500ms, 3000ms}) {
    auditor.take(state_.put_summary(summary("j1", after)));
    ASSERT_TRUE(auditor.settles());
  }
  EXPECT_THAT(auditor.lines("j1"), SizeIs(3));
}

TEST_F(IntakeTest, AnotherAttemptIsAnotherLine) {
  Auditor auditor(state_);
  auditor.take(state_.put_summary(summary("j1")));
  ASSERT_TRUE(auditor.settles());
  wire::Termination second = cut_short("j1", 100ms);
  second.attempt = 2;
  auditor.take(state_.put_summary(second));
  ASSERT_TRUE(auditor.settles());
  EXPECT_THAT(auditor.lines("j1"), SizeIs(2));
}

TEST_F(IntakeTest, HiddenNamesAreNotFinishedYet) {
  Auditor auditor(state_);
  const wire::Termination whole = summary("j1");
  state_.write("terminations/.j1.json.new", wire::termination_json(whole.outcome, "", ""));
  auditor.take(".j1.json.new");
  auditor.take_all();
  EXPECT_EQ(auditor.intake.under_way(), 0U);
  EXPECT_TRUE(has(".j1.json.new"));
  EXPECT_EQ(auditor.told("bad_summary"), 0U);
}

TEST_F(IntakeTest, WhatIsNoSummaryIsKeptAsideAndTold) {
  Auditor auditor(state_);
  state_.put("terminations/j1.json", "{\"job_id\":");
  auditor.take_all();
  EXPECT_FALSE(has("j1.json"));
  EXPECT_EQ(state_.read("ledger/rejected/j1.json"), "{\"job_id\":");
  EXPECT_EQ(auditor.told("bad_summary"), 1U);
  ASSERT_TRUE(TestLedgers::flush(auditor.ledgers.incidents()));
  const auto lines = auditor.ledgers.lines(kIncidentLedger, {.rule = "bad_summary"});
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], HasSubstr(R"("file":"j1.json")"));
}

TEST_F(IntakeTest, WhatIsTooLargeForASummaryIsNone) {
  Auditor auditor(state_);
  state_.put("terminations/j1.json", std::string(1U << 20U, ' '));
  auditor.take_all();
  EXPECT_FALSE(has("j1.json"));
  EXPECT_TRUE(state_.has("ledger/rejected/j1.json"));
  EXPECT_EQ(auditor.told("bad_summary"), 1U);
}

TEST_F(IntakeTest, AHostileIdInASummaryGetsNoFurther) {
  Auditor auditor(state_);
  wire::Termination hostile = summary("j1");
  hostile.outcome.job_id = "../../etc/cron.d/j1";
  state_.put("terminations/j1.json", wire::termination_json(hostile.outcome, "", ""));
  auditor.take_all();
  EXPECT_EQ(auditor.told("bad_summary"), 1U);
  EXPECT_TRUE(state_.has("ledger/rejected/j1.json"));
}

TEST_F(IntakeTest, ASummaryThatCannotBeReadNowIsTakenLater) {
  Auditor auditor(state_);
  const std::string file = state_.put_summary(summary("j1"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  auditor.take(file);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(has(file));
  EXPECT_EQ(auditor.told("bad_summary"), 0U);
  auditor.take(file);
  ASSERT_TRUE(auditor.settles());
  EXPECT_THAT(auditor.lines("j1"), SizeIs(1));
}

TEST_F(IntakeTest, NothingIsTakenWhileTheLedgerIsFull) {
  Auditor auditor(state_, 1);
  auditor.ledgers.fill_disk(true);
  std::vector<std::string> files;
  for (const char* id : {"j1", "j2", "j3"}) {
    wire::Termination each = summary(id);
    each.outcome.exit_code = 3;  // and yet "completed": an incident
    files.push_back(state_.put_summary(each));
  }
  for (int i = 0; i < 5; ++i) auditor.take_all();
  for (const std::string& file : files) EXPECT_TRUE(has(file)) << file;
  // Each run is judged once, however long its line waits.
  EXPECT_LE(auditor.told("disagreement"), 2U);
  auditor.ledgers.fill_disk(false);
  ASSERT_TRUE(eventually([&] {
    auditor.intake.settle();
    auditor.take_all();
    return auditor.intake.under_way() == 0;
  }));
  for (const std::string& file : files) EXPECT_FALSE(has(file)) << file;
  for (const char* id : {"j1", "j2", "j3"}) EXPECT_THAT(auditor.lines(id), SizeIs(1)) << id;
  EXPECT_EQ(auditor.told("disagreement"), 3U);
  EXPECT_EQ(auditor.intake.missed(), 3U);
}

TEST_F(IntakeTest, WhatAnAuditorThatDiedHasLeftIsSettledByTheLedger) {
  std::string file;
  {
    Auditor died(state_);
    file = state_.put_summary(summary("j1"));
    died.take(file);
    ASSERT_TRUE(TestLedgers::flush(died.ledgers.execution()));
  }
  state_.put_summary(summary("j2"));
  state_.put("terminations/j3.json", "{");
  ASSERT_TRUE(has(file));
  Auditor next(state_);
  EXPECT_TRUE(next.intake.settle_left_over());
  EXPECT_FALSE(has(file));
  EXPECT_TRUE(has("j2.json"));
  EXPECT_TRUE(has("j3.json"));
  next.take_all();
  ASSERT_TRUE(next.settles());
  EXPECT_THAT(next.lines("j1"), SizeIs(1));
  EXPECT_THAT(next.lines("j2"), SizeIs(1));
}

TEST_F(IntakeTest, AnotherRunOfAnIdThatHasALineIsNotLeftOver) {
  {
    Auditor died(state_);
    died.take(state_.put_summary(summary("j1")));
    ASSERT_TRUE(died.settles());
  }
  const std::string file = state_.put_summary(summary("j1", 2s));
  Auditor next(state_);
  EXPECT_TRUE(next.intake.settle_left_over());
  EXPECT_TRUE(has(file));
  next.take_all();
  ASSERT_TRUE(next.settles());
  EXPECT_THAT(next.lines("j1"), SizeIs(2));
}

TEST_F(IntakeTest, EndsAreCountedByCauseAndByWhatTheirGroupsCounted) {
  Auditor auditor(state_);
  auditor.take(state_.put_summary(summary("j1")));
  wire::Termination killed = rules::memory_exceeded();
  killed.outcome.job_id = "j2";
  auditor.take(state_.put_summary(killed));
  ASSERT_TRUE(auditor.settles());
  EXPECT_EQ(auditor.intake.by_cause().at("exited"), 1U);
  EXPECT_EQ(auditor.intake.by_cause().at("memory_ceiling"), 1U);
  EXPECT_EQ(auditor.intake.memory_events().at("oom_kill"), 1U);
  EXPECT_EQ(auditor.intake.memory_events().at("max"), 12U);
  EXPECT_EQ(auditor.intake.missed(), 2U);
}

}  // namespace
}  // namespace outrigger::witness
