#include "run/signal_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace outrigger::run {
namespace {

TEST(SignalNames, AreTheUsualOnes) {
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(signal_name(SIGIO), "SIGIO");
  EXPECT_EQ(signal_name(36), "SIGRTMIN+2");
}

TEST(SignalNames, SomeMayBeSent) {
  EXPECT_EQ(sendable_signal("SIGINT"), SIGINT);
  EXPECT_EQ(sendable_signal("SIGWINCH"), SIGWINCH);
  EXPECT_THAT(sendable_signals(), ::testing::StartsWith("SIGHUP, SIGINT, "));
  for (const char* name : {"", "INT", "sigint", "2", "SIGSYS", "SIGXCPU", "SIGSEGV", "SIGCHLD", "SIGRTMIN+2"}) {
    EXPECT_FALSE(sendable_signal(name)) << name;
  }
}

}  // namespace
}  // namespace outrigger::run
