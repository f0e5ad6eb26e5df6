#include "probe/watcher.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "probe/live_group.h"
#include "sys/cgroup.h"
#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

struct Told {
  int watch;
  Event::Kind kind;
  std::string name;
  bool operator==(const Told&) const = default;
};

class WakeupsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "probe.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  void TearDown() override { fs::remove_all(dir_); }
  std::vector<Told> drain() {
    std::vector<Told> told;
    last_ =
        wakeups_.drain([&](const Event& event) { told.push_back({event.watch, event.kind, std::string(event.name)}); })
            .value();
    return told;
  }
  // Until an event of this kind comes, which may have to be waited for: kernfs tells from a worker.
  bool comes(int watch, Event::Kind kind) {
    return eventually([&] {
      return std::ranges::any_of(drain(), [&](const Told& one) { return one.watch == watch && one.kind == kind; });
    });
  }
  void file(const std::string& name) const { std::ofstream(dir_ / name) << "x"; }

  Wakeups wakeups_ = Wakeups::open().value();
  Drained last_;
  fs::path dir_;
};

TEST_F(WakeupsTest, ADirectoryTellsOfNamesThatComeAndGo) {
  const int watch = wakeups_.watch_directory(dir_).value();
  EXPECT_TRUE(drain().empty());
  file("new");
  fs::rename(dir_ / "new", dir_ / "card");
  fs::remove(dir_ / "card");
  pollfd ready{wakeups_.fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&ready, 1, 0), 1);
  EXPECT_THAT(drain(),
              ElementsAre(Told{watch, Event::Kind::kCreated, "new"}, Told{watch, Event::Kind::kRemoved, "new"},
                          Told{watch, Event::Kind::kMovedIn, "card"}, Told{watch, Event::Kind::kRemoved, "card"}));
  EXPECT_EQ(last_.events, 4U);
  EXPECT_FALSE(last_.overflowed);
}

TEST_F(WakeupsTest, OnlyWhatWasAskedForIsTold) {
  const int watch = wakeups_.watch_directory(dir_, {.created = false, .moved_in = true, .removed = false}).value();
  file(".card.new");
  fs::rename(dir_ / ".card.new", dir_ / "card");
  fs::remove(dir_ / "card");
  EXPECT_THAT(drain(), ElementsAre(Told{watch, Event::Kind::kMovedIn, "card"}));
}

TEST_F(WakeupsTest, ADescriptorsPathWorksToo) {
  const auto open = sys::open_at(AT_FDCWD, dir_.c_str(), O_RDONLY | O_DIRECTORY);
  const int watch = wakeups_.watch_directory("/proc/self/fd/" + std::to_string(open->get())).value();
  file("new");
  EXPECT_THAT(drain(), ElementsAre(Told{watch, Event::Kind::kCreated, "new"}));
}

TEST_F(WakeupsTest, AWatchEndsWithWhatItWatches) {
  fs::create_directory(dir_ / "inner");
  const int watch = wakeups_.watch_directory(dir_ / "inner").value();
  fs::remove(dir_ / "inner");
  EXPECT_THAT(drain(), ElementsAre(Told{watch, Event::Kind::kWatchEnded, ""}));
  wakeups_.unwatch(watch);
  EXPECT_TRUE(drain().empty());
}

TEST_F(WakeupsTest, WhatIsNotThereOrWatchedTwiceIsAnError) {
  EXPECT_EQ(wakeups_.watch_directory(dir_ / "missing").error().code, base::Code::kNotFound);
  ASSERT_TRUE(wakeups_.watch_directory(dir_));
  EXPECT_EQ(wakeups_.watch_directory(dir_).error().code, base::Code::kConflict);
}

TEST_F(WakeupsTest, WhenTheQueueOverflowsItSaysSo) {
  std::ifstream limit_file("/proc/sys/fs/inotify/max_queued_events");
  int limit = 0;
  ASSERT_TRUE(limit_file >> limit);
  const int watch = wakeups_.watch_directory(dir_).value();
  // Two names in turn: equal events that follow one another are told once.
  for (int made = 0; made <= limit; made += 2) {
    file("x");
    fs::remove(dir_ / "x");
  }
  bool overflowed = false;
  do {
    drain();
    overflowed = overflowed || last_.overflowed;
  } while (last_.events > 0);
  EXPECT_TRUE(overflowed);
  file("after");
  EXPECT_THAT(drain(), ElementsAre(Told{watch, Event::Kind::kCreated, "after"})) << "it goes on";
}

TEST_F(WakeupsTest, GroupsThatAreMadeAndRemovedAreTold) {
  LiveGroup live;
  const std::string parent = live.path(sys::Controller::kMemory);
  const int watch = wakeups_.watch_directory(parent).value();
  ASSERT_EQ(::mkdir((parent + "/job").c_str(), 0755), 0);
  ASSERT_EQ(::rmdir((parent + "/job").c_str()), 0);
  EXPECT_THAT(drain(),
              ElementsAre(Told{watch, Event::Kind::kCreated, "job"}, Told{watch, Event::Kind::kRemoved, "job"}));
}

// The unified hierarchy is mounted wherever we run, with or without controllers: every group of it has cgroup.events.
TEST_F(WakeupsTest, AGroupThatIsPopulatedOrEmptyTellsByItsEventsFile) {
  const auto found = sys::discover_hierarchies();
  ASSERT_TRUE(found && found->unified);
  const std::string group = found->unified->own_group + "/probe-test-wakeups-" + std::to_string(::getpid());
  ASSERT_EQ(::mkdir(group.c_str(), 0755), 0);
  const int watch = wakeups_.watch_file(group + "/cgroup.events").value();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(sys::write_file_at(AT_FDCWD, (group + "/cgroup.procs").c_str(), "0") ? 0 : 1);
  EXPECT_TRUE(comes(watch, Event::Kind::kChanged));
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(eventually([&] { return ::rmdir(group.c_str()) == 0; }));
  wakeups_.unwatch(watch);
}

TEST_F(WakeupsTest, OnV2AnOomKillAndARefusedForkAreTold) {
  LiveGroup live;
  if (!live.v2()) return;  // v1 has no such files: there is nothing to be told
  const int memory = wakeups_.watch_file(live.path(sys::Controller::kMemory) + "/memory.events").value();
  const int pids = wakeups_.watch_file(live.path(sys::Controller::kPids) + "/pids.events").value();
  live.limit_pids(1);
  live.wait(live.start([] { return ::fork() == 0 ? 0 : 1; }));
  EXPECT_TRUE(comes(pids, Event::Kind::kChanged));
  live.limit_memory(8U << 20);
  live.wait(live.start([] { return take_memory(32U << 20); }));
  EXPECT_TRUE(comes(memory, Event::Kind::kChanged));
}

}  // namespace
}  // namespace outrigger::probe
