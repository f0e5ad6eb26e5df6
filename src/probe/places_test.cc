#include "probe/places.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace outrigger::probe {
namespace {

namespace fs = std::filesystem;
using sys::CgroupVersion;
using sys::Controller;

class FindPlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "probe.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { fs::remove_all(top_); }

  std::string at(const std::string& path) const { return (top_ / path).string(); }
  std::string make(const std::string& path) const {
    fs::create_directories(at(path));
    return at(path);
  }
  // Where a process stands: in `memory` of the memory hierarchy and `rest` of the three others.
  sys::Hierarchies v1(const std::string& memory, const std::string& rest) const {
    sys::Hierarchies found;
    for (const Controller controller : sys::kControllers) {
      const std::string name(sys::controller_name(controller));
      const std::string& group = controller == Controller::kMemory ? memory : rest;
      found.v1.push_back({{name}, at(name), at(name) + group});
    }
    return found;
  }
  sys::Hierarchies v2(const std::string& own) const {
    return {sys::Hierarchy{{"memory"}, at("unified"), at("unified") + own}, {}};
  }
  void make_v1(const std::string& memory, const std::string& rest) const {
    make("memory" + memory);
    for (const char* other : {"cpu", "cpuacct", "pids"}) make(other + rest);
  }

  fs::path top_;
};

TEST_F(FindPlaces, AV2RootIsTakenAsNamed) {
  const std::string root = make("unified/a/outrigger");
  for (const char* version : {"", "v2"}) {
    const auto places = find_places({root + "/", version}, {std::nullopt, v2("/")});
    ASSERT_TRUE(places) << places.error().text();
    EXPECT_EQ(places->version, CgroupVersion::kV2);
    EXPECT_EQ(places->root(Controller::kPids), root);
  }
}

TEST_F(FindPlaces, OnV1TheDaemonsOwnGroupsAreAskedFirst) {
  make_v1("/d/outrigger", "/e/outrigger");
  make_v1("/d/outrigger", "/f/outrigger");
  make_v1("/d/outrigger", "/d/outrigger");
  const auto places = find_places({at("memory/d/outrigger"), "v1"}, {v1("/d", "/e"), v1("/d", "/f")});
  ASSERT_TRUE(places) << places.error().text();
  EXPECT_EQ(places->root(Controller::kMemory), at("memory/d/outrigger"));
  EXPECT_EQ(places->root(Controller::kCpu), at("cpu/e/outrigger"));
  EXPECT_EQ(places->root(Controller::kPids), at("pids/e/outrigger"));
}

TEST_F(FindPlaces, AConfiguredRootIsTheSamePathEverywhereWhateverLiesBelowTheDaemonsGroups) {
  make_v1("/jobs/outrigger", "/jobs/outrigger");
  make_v1("/d/outrigger", "/d/outrigger");
  const auto places = find_places({at("memory/jobs/outrigger")}, {v1("/d", "/d"), v1("/", "/")});
  ASSERT_TRUE(places) << places.error().text();
  EXPECT_EQ(places->version, CgroupVersion::kV1);
  EXPECT_EQ(places->root(Controller::kCpuacct), at("cpuacct/jobs/outrigger"));
}

TEST_F(FindPlaces, WithoutTheDaemonsPidOurOwnGroupsAreTried) {
  make_v1("/d/outrigger", "/outrigger");
  const auto places = find_places({at("memory/d/outrigger")}, {std::nullopt, v1("/us", "")});
  ASSERT_TRUE(places) << places.error().text();
  EXPECT_EQ(places->root(Controller::kCpu), at("cpu/outrigger"));
}

TEST_F(FindPlaces, WithoutAHintV2ComesBeforeV1AndTheDaemonBeforeUs) {
  make_v1("/us/outrigger", "/us/outrigger");
  Surroundings around{std::nullopt, v1("/us", "/us")};
  EXPECT_EQ(find_places({}, around)->root(Controller::kMemory), at("memory/us/outrigger"));
  around.ours.unified = v2("/us").unified;
  make("unified/outrigger");
  EXPECT_EQ(find_places({}, around)->root(Controller::kMemory), at("unified/outrigger"));
  around.daemon = v2("/service/daemon");
  make("unified/service/outrigger");
  EXPECT_EQ(find_places({}, around)->root(Controller::kMemory), at("unified/service/outrigger"))
      << "in a delegated group the daemon sits in a leaf beside the jobs'";
  EXPECT_EQ(find_places({"", "v1"}, around)->version, CgroupVersion::kV1);
}

TEST_F(FindPlaces, ErrorsSayWhatWasLookedForAndWhere) {
  make("memory/d/outrigger");
  const Surroundings around{std::nullopt, v1("/us", "/us")};
  const auto incomplete = find_places({at("memory/d/outrigger")}, around);
  ASSERT_FALSE(incomplete);
  EXPECT_EQ(incomplete.error().code, base::Code::kNotFound);
  EXPECT_EQ(incomplete.error().context, "the jobs' groups in the v1 hierarchy of cpu: no such directory as " +
                                            at("cpu/d/outrigger") + ", nor as " + at("cpu/us/outrigger"));
  EXPECT_EQ(find_places({}, {std::nullopt, {}}).error().context,
            "the jobs' groups: no such directory, no control group hierarchy is mounted");
  EXPECT_EQ(find_places({"/elsewhere"}, around).error().code, base::Code::kNotFound);
  EXPECT_EQ(find_places({"relative"}, around).error().code, base::Code::kInvalid);
  EXPECT_EQ(find_places({"", "v3"}, around).error().code, base::Code::kInvalid);
}

TEST_F(FindPlaces, WhatCannotBeOpenedIsNamed) {
  const auto opened = OpenPlaces::open({CgroupVersion::kV2, {at("missing")}});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().text().find(at("missing")), std::string::npos) << opened.error().text();
}

TEST(LookAround, SeesWhereThisProcessStands) {
  const auto around = look_around(::getpid());
  ASSERT_TRUE(around) << around.error().text();
  ASSERT_TRUE(around->daemon);
  EXPECT_EQ(around->daemon->v1.size(), around->ours.v1.size());
  EXPECT_FALSE(look_around(0)->daemon);
}

}  // namespace
}  // namespace outrigger::probe
