#include <gtest/gtest.h>

#include "ledger/crash_rounds.h"
#include "ledger/test_ledger.h"

namespace outrigger::ledger {
namespace {

TEST(LedgerCrash, NothingAcknowledgedIsLostOrDoubledWhenTheWriterIsKilled) {
  const TestDir dir;
  const auto count = run_crash_rounds(dir.path(), 60, 1);
  ASSERT_TRUE(count.has_value()) << count.error().text();
  EXPECT_GT(count->acknowledged, 0U);
  EXPECT_GT(count->segments, 1U);
  EXPECT_EQ(count->lost, 0U);
  EXPECT_EQ(count->doubled, 0U);
}

}  // namespace
}  // namespace outrigger::ledger
