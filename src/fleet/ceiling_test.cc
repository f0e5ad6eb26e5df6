#include "fleet/ceiling.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace outrigger::fleet {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A daemon that does as it is told at once.
class Fleet {
 public:
  bool look(double share, std::chrono::milliseconds after) {
    now_ += after;
    const bool wanted = wants_pause(share, pause_, now_, {});
    if (wanted != pause_.in_force) changes.push_back(now_);
    if (wanted != pause_.in_force) pause_ = {wanted, now_};
    return wanted;
  }
  std::vector<Clock::time_point> changes;

 private:
  OwnPause pause_;
  Clock::time_point now_{1h};
};

TEST(Ceiling, PausesAtTheCeilingAndNotBelow) {
  Fleet fleet;
  EXPECT_FALSE(fleet.look(0.6499, 1s));
  EXPECT_TRUE(fleet.look(0.65, 1s));
}

TEST(Ceiling, ResumesOnlyBelowTheLowerMark) {
  Fleet fleet;
  fleet.look(0.7, 1s);
  EXPECT_TRUE(fleet.look(0.64, 11s));
  EXPECT_TRUE(fleet.look(0.60, 1s));
  EXPECT_FALSE(fleet.look(0.5999, 1s));
}

TEST(Ceiling, OneChangeInTenSecondsWhateverTheMemoryDoes) {
  Fleet fleet;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int i = 0; i < 20'000; ++i) fleet.look(share(random), 100ms);
  ASSERT_GT(fleet.changes.size(), 50U);
  for (std::size_t i = 1; i < fleet.changes.size(); ++i) EXPECT_GE(fleet.changes[i] - fleet.changes[i - 1], 10s);
}

TEST(Ceiling, AnOrderThatWasNotCarriedOutIsGivenAgainAndForgottenWithItsReason) {
  const OwnPause never;
  const Clock::time_point now{1h};
  EXPECT_TRUE(wants_pause(0.9, never, now, {}));
  EXPECT_TRUE(wants_pause(0.9, never, now + 1s, {}));
  EXPECT_FALSE(wants_pause(0.1, never, now + 2s, {}));
}

}  // namespace
}  // namespace outrigger::fleet
