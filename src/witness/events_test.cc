#include "witness/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "probe/live_group.h"
#include "roster/test_state.h"

// Directories of a file system; that cgroupfs tells in the same way is the probe's to show.
namespace outrigger::witness {
namespace {

using roster::card_of;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class EventsTest : public testing::Test {
 protected:
  void SetUp() override { watch_estate(); }
  void watch_estate() {
    ASSERT_TRUE(estate_.open());
    events_.watch_estate(estate_);
  }
  // What has been told since the last time.
  std::vector<std::string> drain() {
    told_.clear();
    EXPECT_FALSE(events_.drain());
    return told_;
  }
  bool wakes() const {
    pollfd fd{events_.fd(), POLLIN, 0};
    return ::poll(&fd, 1, 0) == 1;
  }
  Events::Handlers handlers() {
    const auto note = [this](const char* what) {
      return [this, what](const std::string& name) { told_.push_back(what + name); };
    };
    return {note("card came "), note("card went "), note("summary came "), note("group changed ")};
  }
  std::string path(const std::string& name) const { return (state_.path() / name).string(); }

  roster::TestState state_;
  roster::Estate estate_{state_.paths()};
  std::vector<std::string> told_;
  Events events_{handlers()};
};

TEST_F(EventsTest, ACardThatIsPutIntoPlaceWakesAndHasCome) {
  EXPECT_FALSE(wakes());
  state_.put_card(card_of("j1"));
  EXPECT_TRUE(wakes());
  EXPECT_THAT(drain(), ElementsAre("card came j1"));
  EXPECT_FALSE(wakes());
}

TEST_F(EventsTest, ACardThatIsRemovedHasGone) {
  state_.put_card(card_of("j1"));
  drain();
  state_.remove_card("j1");
  EXPECT_THAT(drain(), ElementsAre("card went j1"));
}

TEST_F(EventsTest, ASummaryThatIsPutIntoPlaceHasComeAndItsRemovalIsNoNews) {
  const std::string file = state_.put_summary(roster::summary_of(card_of("j1")));
  EXPECT_THAT(drain(), Contains("summary came j1.json"));
  state_.remove("terminations/" + file);
  EXPECT_THAT(drain(), IsEmpty());
}

TEST_F(EventsTest, WhatIsBeingWrittenAndWhatIsNoCardIsNoNews) {
  state_.write("jobs/.j1.json.new", "{");
  state_.put("jobs/README", "");
  state_.put("jobs/UPPER.json", "");
  state_.write("terminations/.j1.json.new", "{");
  EXPECT_THAT(drain(), IsEmpty());
}

TEST_F(EventsTest, AReplacedDirectoryIsWatchedInPlaceOfTheOther) {
  std::filesystem::rename(state_.path() / "jobs", state_.path() / "before");
  state_.make("jobs");
  watch_estate();
  state_.put("before/j1.json", "");
  EXPECT_THAT(drain(), IsEmpty());
  state_.put_card(card_of("j2"));
  EXPECT_THAT(drain(), ElementsAre("card came j2"));
}

TEST_F(EventsTest, AJobsEventsFileThatChangesIsItsChange) {
  state_.make("group");
  state_.write("group/memory.events", "oom_kill 0\n");
  events_.watch_job("j1", path("group"));
  state_.write("group/memory.events", "oom_kill 1\n");
  EXPECT_THAT(drain(), Contains("group changed j1"));
  EXPECT_TRUE(events_.watches_job("j1"));
  events_.unwatch_job("j1");
  EXPECT_FALSE(events_.watches_job("j1"));
  drain();
  state_.write("group/memory.events", "oom_kill 2\n");
  EXPECT_THAT(drain(), IsEmpty());
}

TEST_F(EventsTest, AJobWithoutEventsFilesIsNoTrouble) {
  state_.make("group");
  events_.watch_job("j1", path("group"));
  events_.watch_job("j2", "");
  events_.unwatch_job("j1");
  events_.unwatch_job("j3");
  EXPECT_THAT(drain(), IsEmpty());
}

TEST_F(EventsTest, OnlyJobsThatRunStayWatched) {
  for (const char* id : {"j1", "j2"}) {
    state_.make(id);
    for (const char* file : {"memory.events", "pids.events"}) state_.write(std::filesystem::path(id) / file, "max 0\n");
    events_.watch_job(id, path(id));
  }
  events_.keep_only([](const std::string& job_id) { return job_id == "j2"; });
  drain();
  for (const char* id : {"j1", "j2"}) state_.write(std::string(id) + "/pids.events", "max 1\n");
  EXPECT_THAT(drain(), testing::AllOf(Contains("group changed j2"), testing::Not(Contains("group changed j1"))));
}

TEST_F(EventsTest, AGroupThatIsRemovedIsItsJobsChange) {
  state_.make("groups/j1");
  events_.watch_group_root(path("groups"));
  events_.watch_group_root(path("groups"));
  state_.make("groups/j2");
  EXPECT_THAT(drain(), IsEmpty());
  state_.remove("groups/j1");
  EXPECT_THAT(drain(), ElementsAre("group changed j1"));
}

TEST_F(EventsTest, ARootThatIsMadeAnewIsWatchedAnew) {
  state_.make("groups");
  events_.watch_group_root(path("groups"));
  state_.remove("groups");
  drain();
  state_.make("groups/j1");
  events_.watch_group_root(path("groups"));
  state_.remove("groups/j1");
  EXPECT_THAT(drain(), ElementsAre("group changed j1"));
}

TEST_F(EventsTest, ARootWhosePlaceAnotherTookIsLeftForIt) {
  state_.make("groups/j1");
  events_.watch_group_root(path("groups"));
  std::filesystem::rename(path("groups"), path("before"));
  state_.make("groups/j2");
  events_.watch_group_root(path("groups"));
  drain();
  state_.remove("before/j1");
  state_.remove("groups/j2");
  EXPECT_THAT(drain(), ElementsAre("group changed j2"));
}

TEST_F(EventsTest, EventsThatWereLostAreToldOf) {
  const std::string most = sys::read_file_at(AT_FDCWD, "/proc/sys/fs/inotify/max_queued_events").value();
  state_.put_card(card_of("j1"));
  // Two events each, no two alike in a row.
  for (int i = 0; i <= std::stoi(most) / 2; ++i) {
    std::filesystem::rename(state_.path() / "jobs/j1.json", state_.path() / "jobs/j2.json");
    std::filesystem::rename(state_.path() / "jobs/j2.json", state_.path() / "jobs/j1.json");
  }
  EXPECT_EQ(events_.overflows(), 0U);
  EXPECT_TRUE(probe::eventually([this] { return events_.drain(); }));
  EXPECT_EQ(events_.overflows(), 1U);
}

}  // namespace
}  // namespace outrigger::witness
