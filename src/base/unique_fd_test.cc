#include "base/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace outrigger::base {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(UniqueFd, ClosesAtTheEndOfItsScope) {
  int raw = -1;
  {
    UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    raw = fd.get();
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST(UniqueFd, MovedFromHoldsNothing) {
  UniqueFd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  UniqueFd second(std::move(first));
  EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move): that it is empty is the fact under test
  EXPECT_TRUE(is_open(second.get()));
}

TEST(UniqueFd, ReleaseGivesUpOwnership) {
  int raw = -1;
  {
    UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    raw = fd.release();
  }
  EXPECT_TRUE(is_open(raw));
  ::close(raw);
}

}  // namespace
}  // namespace outrigger::base
