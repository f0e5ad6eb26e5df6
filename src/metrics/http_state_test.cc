#include "metrics/http_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace outrigger::metrics {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;

TEST(HttpState, CountsByRouteMethodAndStatus) {
  HttpState state;
  state.add("/health", "GET", 200, 100us);
  state.add("/health", "GET", 200, 100us);
  state.add("/health", "POST", 405, 100us);
  EXPECT_THAT(state.answers, ElementsAre(Pair(HttpState::Answer{"/health", "GET", 200}, 2U),
                                         Pair(HttpState::Answer{"/health", "POST", 405}, 1U)));
}

TEST(HttpState, HasNoKeyOfACallersMaking) {
  HttpState state;
  for (const std::string& method : {"GETT", "get", "\xff", "X-1", "X-2"}) state.add("none", method, 400, 1us);
  state.add("none", "", 408, std::nullopt);
  EXPECT_THAT(state.answers, ElementsAre(Pair(HttpState::Answer{"none", "none", 408}, 1U),
                                         Pair(HttpState::Answer{"none", "other", 400}, 5U)));
}

TEST(HttpState, TimesWhatHadAHead) {
  HttpState state;
  state.add("/health", "GET", 200, 700us);
  state.add("/health", "GET", 200, 2h);
  state.add("none", "", 400, std::nullopt);
  ASSERT_EQ(state.durations.size(), 1U);
  const pool::Histogram& histogram = state.durations.at("/health");
  EXPECT_EQ(histogram.sum(), 2h + 700us);
  EXPECT_EQ(histogram.counts()[1], 1U);
  EXPECT_EQ(histogram.counts().back(), 1U);
}

}  // namespace
}  // namespace outrigger::metrics
