#include "roster/strays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "roster/test_state.h"

// Directories with a cgroup.procs file in the place of control groups.
namespace outrigger::roster {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class StraysTest : public testing::Test {
 protected:
  void make_group(const std::string& name, const std::string& members = "") const {
    state_.make("groups/" + name);
    state_.write("groups/" + name + "/cgroup.procs", members);
  }
  // One look; the names that are told of.
  std::vector<std::string> look(std::chrono::milliseconds after) {
    now_ += after;
    std::vector<std::string> told;
    strays_.look(
        {(state_.path() / "groups").string()}, now_,
        [this](const std::string& name) { return claimed_.contains(name); },
        [&](const std::string& name, const rules::Finding& finding) {
          told.push_back(name);
          last_ = finding;
        });
    return told;
  }

  TestState state_;
  Strays strays_;
  Strays::Clock::time_point now_{1h};
  std::set<std::string> claimed_;
  rules::Finding last_;
};

TEST_F(StraysTest, AnEmptyGroupNobodyClaimsIsToldOnceAfterPatience) {
  make_group("j1");
  EXPECT_THAT(look(0s), IsEmpty());
  EXPECT_THAT(look(Strays::kPatience - 1ms), IsEmpty());
  EXPECT_THAT(look(Strays::kEvery), ElementsAre("j1"));
  EXPECT_EQ(last_.rule, "leaked_cgroup");
  EXPECT_THAT(last_.text, testing::HasSubstr((state_.path() / "groups/j1").string()));
  EXPECT_THAT(look(1h), IsEmpty());
}

TEST_F(StraysTest, ClaimedGroupsTemplatesAndProbesAreNoStrays) {
  for (const char* name : {"j1", "template-python-0", "probe-1", "UPPER", "dotted.name"}) make_group(name);
  state_.write("groups/j2", "a file");
  claimed_ = {"j1"};
  look(0s);
  EXPECT_THAT(look(Strays::kPatience), IsEmpty());
}

TEST_F(StraysTest, AGroupWithProcessesIsNoneUntilTheyAreGone) {
  make_group("j1", "4711\n");
  look(0s);
  EXPECT_THAT(look(1h), IsEmpty());
  make_group("j1");
  EXPECT_THAT(look(Strays::kEvery), ElementsAre("j1"));
}

TEST_F(StraysTest, AClaimThatEndsStartsThePatience) {
  make_group("j1");
  claimed_ = {"j1"};
  look(0s);
  look(1h);
  claimed_.clear();
  EXPECT_THAT(look(Strays::kEvery), IsEmpty());
  EXPECT_THAT(look(Strays::kPatience), ElementsAre("j1"));
}

TEST_F(StraysTest, AReusedNameIsAnotherGroup) {
  make_group("j1");
  look(0s);
  ASSERT_THAT(look(Strays::kPatience), ElementsAre("j1"));
  // Made before the other is removed, or it might be given its inode.
  make_group("next");
  state_.remove("groups/j1");
  std::filesystem::rename(state_.path() / "groups/next", state_.path() / "groups/j1");
  EXPECT_THAT(look(Strays::kEvery), IsEmpty());
  EXPECT_THAT(look(Strays::kPatience), ElementsAre("j1"));
}

TEST_F(StraysTest, NothingIsComparedMoreOftenThanItIsWorth) {
  make_group("j1");
  look(0s);
  // Looked at too soon to be seen: its patience begins at the next comparison.
  make_group("j2");
  EXPECT_THAT(look(Strays::kEvery - 1ms), IsEmpty());
  EXPECT_THAT(look(Strays::kPatience), ElementsAre("j1"));
  EXPECT_THAT(look(Strays::kPatience), ElementsAre("j2"));
}

TEST_F(StraysTest, ARootThatIsGoneIsNoTrouble) {
  make_group("j1");
  look(0s);
  state_.remove("groups");
  EXPECT_THAT(look(Strays::kPatience), IsEmpty());
}

}  // namespace
}  // namespace outrigger::roster
