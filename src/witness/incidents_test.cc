#include "witness/incidents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "witness/test_ledgers.h"

namespace outrigger::witness {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class IncidentsTest : public testing::Test {
 protected:
  static rules::Subject job(const std::string& job_id) { return {job_id, "acme", "python", {}, roster::kStart}; }
  static rules::Finding finding(std::string_view rule) {
    return {rule, rules::Severity::kWarning, "something happened", {{"count", std::uint64_t{3}}}};
  }
  std::vector<std::string> lines(const std::string& rule) const {
    EXPECT_TRUE(TestLedgers::flush(ledgers_.incidents()));
    return ledgers_.lines(kIncidentLedger, {.rule = rule});
  }

  roster::TestState state_;
  TestLedgers ledgers_{state_, 4};
  Alerts alerts_{"", ""};
  Incidents incidents_{ledgers_.incidents(), alerts_};
};

TEST_F(IncidentsTest, AFindingIsALineOfItsJob) {
  incidents_.report(job("j1"), finding("oom_kill"));
  ASSERT_THAT(lines("oom_kill"), SizeIs(1));
  EXPECT_THAT(lines("oom_kill")[0], HasSubstr(R"("job_id":"j1","tenant_id":"acme","text":"something happened")"));
  EXPECT_EQ(incidents_.by_rule().at("oom_kill"), 1U);
}

TEST_F(IncidentsTest, WhatIsAboutNoJobNamesNone) {
  incidents_.report(finding("fleet_memory_ceiling"));
  ASSERT_THAT(lines("fleet_memory_ceiling"), SizeIs(1));
  EXPECT_THAT(lines("fleet_memory_ceiling")[0], HasSubstr(R"("job_id":null,"tenant_id":null)"));
}

TEST_F(IncidentsTest, WhatTheAuditorBeforeHadToldOfARunningJobIsNotToldAgain) {
  incidents_.report(job("j1"), finding("oom_kill"));
  incidents_.report(job("j2"), finding("oom_kill"));
  ASSERT_THAT(lines("oom_kill"), SizeIs(2));
  Incidents next(ledgers_.incidents(), alerts_);
  next.remember(ledgers_.dir(), {"j1"});
  next.report(job("j1"), finding("oom_kill"));
  EXPECT_THAT(lines("oom_kill"), SizeIs(2));
  // Another rule, another job, and the next occurrence are news.
  next.report(job("j1"), finding("fork_bomb"));
  next.report(job("j2"), finding("oom_kill"));
  next.report(job("j1"), finding("oom_kill"));
  EXPECT_THAT(lines("fork_bomb"), SizeIs(1));
  EXPECT_THAT(lines("oom_kill"), SizeIs(4));
  EXPECT_EQ(next.by_rule().at("oom_kill"), 2U);
}

TEST_F(IncidentsTest, WithoutAJobThatRunsNothingIsRemembered) {
  incidents_.report(job("j1"), finding("oom_kill"));
  ASSERT_THAT(lines("oom_kill"), SizeIs(1));
  Incidents next(ledgers_.incidents(), alerts_);
  next.remember(ledgers_.dir(), {});
  next.report(job("j1"), finding("oom_kill"));
  EXPECT_THAT(lines("oom_kill"), SizeIs(2));
}

TEST_F(IncidentsTest, WhatTheLedgerHasNoRoomForIsCountedAsLost) {
  ledgers_.fill_disk(true);
  for (int i = 0; i < 6; ++i) incidents_.report(job("j1"), finding("oom_kill"));
  EXPECT_EQ(incidents_.lost(), 2U);
  EXPECT_EQ(incidents_.by_rule().at("oom_kill"), 6U);
  ledgers_.fill_disk(false);
  EXPECT_THAT(lines("oom_kill"), SizeIs(4));
}

}  // namespace
}  // namespace outrigger::witness
