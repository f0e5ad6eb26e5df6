#include "sys/message_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

namespace outrigger::sys {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

class MessageSocketTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto pair = socket_pair(SOCK_SEQPACKET);
    ASSERT_TRUE(pair);
    here_ = std::move(pair->first);
    there_ = std::move(pair->second);
  }
  base::UniqueFd here_;
  base::UniqueFd there_;
  std::array<std::byte, 8> buffer_{};
};

TEST_F(MessageSocketTest, CarriesDescriptorsThatAreCloseOnExec) {
  const base::UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::array fds{null.get()};
  ASSERT_TRUE(send_message(here_.get(), bytes_of("x"), fds));
  const auto received = receive_message(there_.get(), buffer_);
  ASSERT_TRUE(received);
  ASSERT_EQ(received->fds.size(), 1U);
  EXPECT_EQ(::fcntl(received->fds[0].get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST_F(MessageSocketTest, AMessageTooLongIsAnErrorAndLeaksNoDescriptor) {
  const base::UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::array fds{null.get()};
  const int next = ::dup(null.get());
  ::close(next);
  ASSERT_TRUE(send_message(here_.get(), bytes_of("longer than eight"), fds));
  EXPECT_EQ(receive_message(there_.get(), buffer_).error().errno_value, EMSGSIZE);
  EXPECT_LT(::fcntl(next, F_GETFD), 0);
}

TEST_F(MessageSocketTest, AClosedPeerReadsAsZeroAndWritesAsEpipe) {
  here_.reset();
  const auto received = receive_message(there_.get(), buffer_);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->size, 0U);
  EXPECT_EQ(send_message(there_.get(), bytes_of("x")).error().errno_value, EPIPE);
}

}  // namespace
}  // namespace outrigger::sys
