#include "probe/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "probe/live_group.h"

namespace outrigger::probe {
namespace {

namespace fs = std::filesystem;

TEST(Machine, HasMemory) {
  const Figure total = memory_total_bytes();
  ASSERT_TRUE(total) << absence_text(total.absence());
  const auto physical =
      static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::getpagesize());
  EXPECT_EQ(*total, physical);
}

class Ancestors : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "probe.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    fs::create_directories(root_ / "top/system/outrigger");
  }
  void TearDown() override { fs::remove_all(root_); }
  void group(const std::string& path, const std::string& events) const {
    std::ofstream(root_ / path / "cgroup.procs") << "";
    if (!events.empty()) std::ofstream(root_ / path / "memory.events.local") << events;
  }
  Figure ooms() const { return ancestor_ooms({sys::CgroupVersion::kV2, {(root_ / "top/system/outrigger").string()}}); }
  fs::path root_;
};

TEST_F(Ancestors, TheirOwnOomsAreAddedUpToTheTopOfTheHierarchy) {
  group("top", "");
  group("top/system", "oom 4\noom_kill 9\n");
  group("top/system/outrigger", "oom 3\n");
  EXPECT_EQ(*ooms(), 7U);
}

TEST_F(Ancestors, ANumberThatIsMissingMakesNoSum) {
  group("top/system", "low 0\n");
  group("top/system/outrigger", "oom 3\n");
  EXPECT_EQ(ooms().absence(), Absence::kNoKey);
}

TEST_F(Ancestors, AKernelWithoutLocalEventsHasNone) {
  group("top/system/outrigger", "");
  EXPECT_EQ(ooms().absence(), Absence::kNoFile);
}

TEST_F(Ancestors, OnV1ThereAreNone) {
  Places places{sys::CgroupVersion::kV1, {}};
  places.roots.fill(root_.string());
  EXPECT_EQ(ancestor_ooms(places).absence(), Absence::kNoFile);
}

TEST(AncestorsLive, AKillIsCountedForTheMachineAndForTheGroupWhoseCeilingItWas) {
  LiveGroup live;
  Places places = live.places().places();
  for (const sys::Controller controller : sys::kControllers) {
    if (places.version == sys::CgroupVersion::kV1 || controller == sys::Controller::kMemory) {
      places.roots[static_cast<std::size_t>(controller)] = live.path(controller);
    }
  }
  live.limit_memory(8U << 20);
  const Figure kills_before = host_oom_kills();
  const Figure ooms_before = ancestor_ooms(places);
  live.wait(live.start([] { return take_memory(32U << 20); }));
  EXPECT_GT(*host_oom_kills(), *kills_before);
  if (live.v2()) EXPECT_GT(*ancestor_ooms(places), *ooms_before);
}

}  // namespace
}  // namespace outrigger::probe
