#include "base/error.h"

#include <gtest/gtest.h>

namespace outrigger::base {
namespace {

TEST(Error, TextNamesStepErrnoAndObject) {
  const Error error{"mount_proc", Code::kSystem, EPERM, "/proc"};
  EXPECT_EQ(error.text(), "mount_proc: Operation not permitted (EPERM): /proc");
}

TEST(Error, TextWithoutErrnoIsStepAndContext) {
  EXPECT_EQ((Error{"load_runtime", Code::kInvalid, 0, "no command"}).text(), "load_runtime: no command");
}

TEST(Error, UnknownErrnoKeepsItsNumber) { EXPECT_EQ(errno_name(9999), "9999"); }

TEST(Error, SystemErrorTakesTheCurrentErrno) {
  errno = ENOENT;
  const Status status = system_error("open", "x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().errno_value, ENOENT);
}

}  // namespace
}  // namespace outrigger::base
