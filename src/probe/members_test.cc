#include "probe/members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "probe/live_group.h"

namespace outrigger::probe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kOurs = 100;

TEST(OutsideOf, TheJailIsWhereItsInitIs) {
  EXPECT_THAT(outside_of({}, kOurs), IsEmpty());
  const Member init{10, 200, 2, 1};
  EXPECT_THAT(outside_of(std::vector{init, Member{11, 200, 2, 2}}, kOurs), IsEmpty());
  EXPECT_THAT(outside_of(std::vector{init, Member{12, kOurs, 1, 12}}, kOurs), ElementsAre(12));
  EXPECT_THAT(outside_of(std::vector{Member{13, 300, 2, 5}, Member{14, 300, 2, 6}, init}, kOurs), ElementsAre(13, 14));
}

TEST(OutsideOf, ANamespaceMadeInTheJailIsNotTheJails) {
  EXPECT_THAT(outside_of(std::vector{Member{15, 300, 3, 1}, Member{10, 200, 2, 1}}, kOurs), ElementsAre(15));
}

TEST(OutsideOf, WithoutAnInitMostAreRight) {
  const std::vector members{Member{1, 200, 2, 7}, Member{2, 300, 2, 8}, Member{3, 300, 2, 9}};
  EXPECT_THAT(outside_of(members, kOurs), ElementsAre(1));
}

TEST(OutsideOf, WhereAllAreInOurNamespaceNoneIsInside) {
  EXPECT_THAT(outside_of(std::vector{Member{1, kOurs, 1, 1}, Member{2, kOurs, 1, 2}}, kOurs), ElementsAre(1, 2));
}

class MembersLive : public ::testing::Test {
 protected:
  base::Result<MemberList> read() {
    auto group = Group::open(live_.places(), live_.name(), budget_);
    if (!group) return std::unexpected(group.error());
    return read_members(*group);
  }
  // The jail's first process and one beside it. The starter ends, so that only they are left.
  int start_jail() {
    return live_.wait(live_.start([] {
      if (::unshare(CLONE_NEWPID) != 0) return 1;
      const pid_t init = ::fork();
      if (init != 0) return init < 0 ? 1 : 0;
      (void)::fork();
      return ::pause();
    }));
  }
  // Who is left when the starter is gone is nobody's child here.
  void TearDown() override {
    const auto kill_all = [this] {
      const auto members = parse_members();
      for (const pid_t pid : members) ::kill(pid, SIGKILL);
      return members.empty();
    };
    EXPECT_TRUE(eventually(kill_all));
  }
  std::vector<pid_t> parse_members() const {
    std::vector<pid_t> pids;
    std::istringstream text(live_.text(sys::Controller::kMemory, "cgroup.procs"));
    for (pid_t pid = 0; text >> pid;) pids.push_back(pid);
    return pids;
  }

  LiveGroup live_;
  DescriptorBudget budget_;
};

TEST_F(MembersLive, ThoseInTheJailsNamespaceAreInside) {
  ASSERT_EQ(start_jail(), 0);
  ASSERT_TRUE(eventually([this] { return read()->count == 2; }));
  const auto members = read();
  ASSERT_TRUE(members) << members.error().text();
  EXPECT_TRUE(members->namespaces_known);
  EXPECT_THAT(members->outside, IsEmpty());
}

TEST_F(MembersLive, WhoIsInOurNamespaceIsOutside) {
  ASSERT_EQ(start_jail(), 0);
  const pid_t stranger = live_.start([] { return ::pause(); });
  ASSERT_TRUE(eventually([this] { return read()->count == 3; }));
  EXPECT_THAT(read()->outside, ElementsAre(stranger));
}

TEST_F(MembersLive, WhoHasEndedAndIsNotReapedIsNotOutside) {
  ASSERT_EQ(start_jail(), 0);
  ASSERT_TRUE(eventually([this] { return read()->count == 2; }));
  const pid_t ended = live_.start([] { return 0; });
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(ended), &info, WEXITED | WNOWAIT), 0);
  EXPECT_THAT(read()->outside, IsEmpty());
}

TEST_F(MembersLive, AnEmptyGroupHasNoneAndAGoneOneIsAnError) {
  const auto group = Group::open(live_.places(), live_.name(), budget_);
  EXPECT_EQ(read_members(*group)->count, 0U);
  live_.remove();
  EXPECT_EQ(read_members(*group).error().code, base::Code::kNotFound);
}

}  // namespace
}  // namespace outrigger::probe
