#include "run/cancellation.h"

#include <gtest/gtest.h>

namespace outrigger::run {
namespace {

TEST(Cancellation, TheFirstReasonWinsAndTheHandlerRunsOnce) {
  Cancellation cancellation;
  int calls = 0;
  cancellation.on_cancel([&calls] { ++calls; });
  cancellation.cancel(CancelReason::kClientLeft);
  cancellation.cancel(CancelReason::kShuttingDown);
  EXPECT_EQ(cancellation.reason(), CancelReason::kClientLeft);
  EXPECT_EQ(calls, 1);
}

TEST(Cancellation, AHandlerThatComesTooLateIsStillCalled) {
  Cancellation cancellation;
  cancellation.cancel(CancelReason::kRequested);
  bool called = false;
  cancellation.on_cancel([&called] { called = true; });
  EXPECT_TRUE(called);
}

TEST(Cancellation, AHandlerTakenAwayIsNotCalled) {
  Cancellation cancellation;
  bool called = false;
  cancellation.on_cancel([&called] { called = true; });
  cancellation.on_cancel({});
  cancellation.cancel(CancelReason::kRequested);
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace outrigger::run
