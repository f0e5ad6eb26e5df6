#include "rules/signals.h"

#include <gtest/gtest.h>

#include <csignal>

namespace outrigger::rules {
namespace {

TEST(Signals, EachHasANameThatLeadsBackToIt) {
  for (int signal = 1; signal <= 64; ++signal) EXPECT_EQ(signal_number(signal_name(signal)), signal);
}

TEST(Signals, OneNumberWithTwoNames) {
  EXPECT_EQ(signal_name(SIGIO), "SIGIO");
  EXPECT_EQ(signal_number("SIGPOLL"), SIGIO);
}

TEST(Signals, RealTimeOnesAreCountedFromLibcsFirst) { EXPECT_EQ(signal_name(36), "SIGRTMIN+2"); }

TEST(Signals, WhatIsNoneHasNoNumber) {
  EXPECT_EQ(signal_number("KILL"), std::nullopt);
  EXPECT_EQ(signal_number(""), std::nullopt);
}

}  // namespace
}  // namespace outrigger::rules
