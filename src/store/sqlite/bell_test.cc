#include "store_sqlite/bell.h"

#include <gtest/gtest.h>

#include <thread>

namespace outrigger::store::sqlite {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(Bell, WhatRangBeforeTheWaitEndsIt) {
  Bell bell;
  ASSERT_TRUE(bell.begin_round());
  bell.ring();
  const auto begin = steady_clock::now();
  EXPECT_TRUE(bell.wait(begin + 10s));
  EXPECT_LT(steady_clock::now() - begin, 1s);
}

TEST(Bell, NothingRangUntilTheDeadline) {
  Bell bell;
  ASSERT_TRUE(bell.begin_round());
  EXPECT_FALSE(bell.wait(steady_clock::now() + 20ms));
}

TEST(Bell, ALongWaitLooksOnceASecond) {
  Bell bell;
  ASSERT_TRUE(bell.begin_round());
  const auto begin = steady_clock::now();
  EXPECT_TRUE(bell.wait(begin + 10s));
  EXPECT_LT(steady_clock::now() - begin, 3s);
}

TEST(Bell, AnInterruptEndsTheWaitAndTheRoundAfterIt) {
  Bell bell;
  ASSERT_TRUE(bell.begin_round());
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    bell.interrupt();
    bell.interrupt();  // two are no more than one
  });
  while (bell.wait(steady_clock::now() + 10s)) {
  }
  other.join();
  EXPECT_FALSE(bell.begin_round());
  EXPECT_TRUE(bell.begin_round());
}

TEST(Bell, AnInterruptOfNobodyEndsTheNextRound) {
  Bell bell;
  bell.interrupt();
  EXPECT_FALSE(bell.begin_round());
  EXPECT_TRUE(bell.begin_round());
}

}  // namespace
}  // namespace outrigger::store::sqlite
