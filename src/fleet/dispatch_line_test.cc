#include "fleet/dispatch_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fleet/test_daemon.h"
#include "wire/error_json.h"

namespace outrigger::fleet {
namespace {

using Reach = DispatchState::Reach;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

// Nothing is asked again but for what the test does.
constexpr auto kNever = 1h;
constexpr auto kSoon = 1ms;

class Line : public testing::Test {
 protected:
  // Waits for an exchange that began after this call, on a line that asks again and again.
  void ask_again() {
    const std::size_t before = daemon_.answered();
    ASSERT_TRUE(eventually([&] { return daemon_.answered() > before + 1; }));
  }
  static bool reaches(const DispatchLine& line, Reach reach) {
    return eventually([&] { return line.state().reach == reach; });
  }

  TestDaemon daemon_;
};

TEST_F(Line, PausesWhenThatIsWantedAndSaysWhy) {
  daemon_.listen();
  DispatchLine line(kNever);
  line.set_address({daemon_.url(), ""});
  line.want(true, "memory is short");
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  EXPECT_TRUE(daemon_.dispatch().paused);
  EXPECT_EQ(daemon_.dispatch().reason, "crows-nest: memory is short");
  EXPECT_EQ(line.state().reach, Reach::kReached);
  EXPECT_TRUE(line.state().paused);
  EXPECT_EQ(line.state().reason, "crows-nest: memory is short");
  EXPECT_TRUE(line.state().own.changed_at);
}

TEST_F(Line, ResumesWhatItHasPaused) {
  daemon_.listen();
  DispatchLine line(kNever);
  line.set_address({daemon_.url(), ""});
  line.want(true, "memory is short");
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  line.want(false, "");
  ASSERT_TRUE(eventually([&] { return !line.state().own.in_force; }));
  EXPECT_FALSE(daemon_.dispatch().paused);
  EXPECT_THAT(daemon_.puts(), SizeIs(2));
}

TEST_F(Line, IsPausedOnceHoweverOftenItIsWanted) {
  daemon_.listen();
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  line.want(true, "one");
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  line.want(true, "two");
  ask_again();
  EXPECT_THAT(daemon_.puts(), SizeIs(1));
}

TEST_F(Line, SomebodyElsesPauseIsLeftAsItIs) {
  daemon_.listen();
  daemon_.set({true, "maintenance until noon"});
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  line.want(true, "memory is short");
  ask_again();
  line.want(false, "");
  ask_again();
  EXPECT_THAT(daemon_.puts(), IsEmpty());
  EXPECT_TRUE(line.state().paused);
  EXPECT_FALSE(line.state().own.in_force);
  EXPECT_EQ(line.state().reason, "maintenance until noon");
}

TEST_F(Line, AnEarlierAuditorsPauseIsThoughtOverBeforeItIsEnded) {
  daemon_.listen();
  daemon_.set({true, std::string(kReasonPrefix) + "of one that died"});
  DispatchLine line(kNever);
  // False is wanted, and was so without knowing of the pause.
  line.set_address({daemon_.url(), ""});
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  EXPECT_THAT(daemon_.puts(), IsEmpty());
  // It is wanted on: nothing is to be done.
  line.want(true, "memory is short");
  ASSERT_TRUE(eventually([&] { return daemon_.answered() == 2; }));
  EXPECT_THAT(daemon_.puts(), IsEmpty());
  line.want(false, "");
  ASSERT_TRUE(eventually([&] { return !line.state().own.in_force; }));
  EXPECT_FALSE(daemon_.dispatch().paused);
}

TEST_F(Line, AnEarlierAuditorsPauseThatNobodyWantsIsEndedAtTheNextInterval) {
  daemon_.listen();
  daemon_.set({true, std::string(kReasonPrefix) + "of one that died"});
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  EXPECT_TRUE(eventually([&] { return !daemon_.dispatch().paused; }));
}

TEST_F(Line, AnOperatorsResumeIsThoughtOverBeforeItIsUndone) {
  daemon_.listen();
  DispatchLine line(kNever);
  line.set_address({daemon_.url(), ""});
  line.want(true, "memory is short");
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  daemon_.set({false, ""});
  line.set_address({daemon_.url(), "asks anew"});
  ASSERT_TRUE(eventually([&] { return !line.state().own.in_force; }));
  EXPECT_THAT(daemon_.puts(), SizeIs(1));
  EXPECT_TRUE(line.state().own.changed_at);
}

TEST_F(Line, ADaemonThatIsNotThereIsUnreachableUntilItIs) {
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  line.want(true, "memory is short");
  ASSERT_TRUE(reaches(line, Reach::kUnreachable));
  EXPECT_THAT(line.state().trouble, HasSubstr(daemon_.url()));
  daemon_.listen();
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  EXPECT_EQ(line.state().trouble, "");
}

TEST_F(Line, APauseThatStoodIsRememberedWhileTheDaemonIsAway) {
  daemon_.listen();
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  line.want(true, "memory is short");
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  const TestDaemon nobody;
  line.set_address({nobody.url(), ""});
  ASSERT_TRUE(reaches(line, Reach::kUnreachable));
  EXPECT_TRUE(line.state().own.in_force);
}

TEST_F(Line, AWrongTokenIsRefusedAndTheSentenceNamesTheSetting) {
  daemon_.answer_with(401, wire::error_to_json({"unauthorized", "a token is needed", ""}));
  daemon_.listen();
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), "s3cret"});
  ASSERT_TRUE(reaches(line, Reach::kRefused));
  EXPECT_THAT(line.state().trouble, HasSubstr("set crows_nest.token"));
  EXPECT_THAT(line.state().trouble, testing::Not(HasSubstr("s3cret")));
  EXPECT_TRUE(daemon_.told("Authorization: Bearer s3cret\r\n"));
  daemon_.answer_with(0);
  EXPECT_TRUE(reaches(line, Reach::kReached));
}

TEST_F(Line, AnErrorOfTheDaemonsIsRepeated) {
  daemon_.answer_with(503, wire::error_to_json({"unavailable", "the daemon is ending", ""}));
  daemon_.listen();
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  ASSERT_TRUE(reaches(line, Reach::kRefused));
  EXPECT_THAT(line.state().trouble, HasSubstr("HTTP 503: the daemon is ending"));
}

TEST_F(Line, WhatAnswersOtherwiseIsNoDaemon) {
  daemon_.answer_with(200, "<html>It works!</html>");
  daemon_.listen();
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  ASSERT_TRUE(reaches(line, Reach::kRefused));
  EXPECT_THAT(line.state().trouble, HasSubstr("does not answer as Outrigger does"));
}

TEST_F(Line, APauseThatIsRefusedIsTriedAgain) {
  daemon_.listen();
  DispatchLine line(kSoon);
  line.set_address({daemon_.url(), ""});
  ASSERT_TRUE(reaches(line, Reach::kReached));
  daemon_.answer_with(503, "{}");
  ASSERT_TRUE(reaches(line, Reach::kRefused));
  line.want(true, "memory is short");
  ask_again();
  EXPECT_FALSE(line.state().own.in_force);
  daemon_.answer_with(0);
  EXPECT_TRUE(eventually([&] { return line.state().own.in_force; }));
}

TEST_F(Line, AnAnswerThatHangsHoldsUpNobody) {
  daemon_.withhold(true);
  daemon_.listen();
  DispatchLine line(kNever);
  line.set_address({daemon_.url(), ""});
  ASSERT_TRUE(eventually([&] { return daemon_.asked() == 1; }));
  line.want(true, "memory is short");
  line.set_address({daemon_.url(), "another"});
  // These calls have come back while the exchange is under way.
  EXPECT_EQ(line.state().reach, Reach::kNotAsked);
  daemon_.withhold(false);
  EXPECT_TRUE(eventually([&] { return line.state().own.in_force; }));
}

TEST_F(Line, AnAnswerThatNeverComesIsUnreachable) {
  daemon_.withhold(true);
  daemon_.listen();
  DispatchLine line(kNever);
  line.set_address({daemon_.url(), ""});
  ASSERT_TRUE(reaches(line, Reach::kUnreachable));
  EXPECT_THAT(line.state().trouble, HasSubstr("no answer"));
}

TEST_F(Line, AReasonIsNoLongerThanTheDaemonTakes) {
  daemon_.listen();
  DispatchLine line(kNever);
  line.set_address({daemon_.url(), ""});
  line.want(true, std::string(1000, 'x'));
  ASSERT_TRUE(eventually([&] { return line.state().own.in_force; }));
  EXPECT_THAT(daemon_.dispatch().reason, StartsWith(kReasonPrefix));
  EXPECT_THAT(daemon_.dispatch().reason, SizeIs(256));
}

TEST_F(Line, WithoutAnAddressNobodyIsAsked) {
  DispatchLine line(kSoon);
  line.want(true, "memory is short");
  EXPECT_EQ(line.state().reach, Reach::kNotAsked);
  EXPECT_EQ(ask_dispatch({}).reach, Reach::kNotAsked);
}

TEST_F(Line, OneQuestionChangesNothing) {
  daemon_.listen();
  daemon_.set({true, std::string(kReasonPrefix) + "memory is short"});
  const DispatchState state = ask_dispatch({daemon_.url(), ""});
  EXPECT_EQ(state.reach, Reach::kReached);
  EXPECT_TRUE(state.own.in_force);
  EXPECT_THAT(daemon_.puts(), IsEmpty());
}

TEST_F(Line, WhatIsNoAddressIsUnreachableWithASentence) {
  const DispatchState state = ask_dispatch({"https://127.0.0.1", ""});
  EXPECT_EQ(state.reach, Reach::kUnreachable);
  EXPECT_THAT(state.trouble, HasSubstr("https is not spoken here"));
}

}  // namespace
}  // namespace outrigger::fleet
