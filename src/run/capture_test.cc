#include "run/capture.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

namespace outrigger::run {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  base::UniqueFd read;
  base::UniqueFd write;
};

model::CapturedStream captured(const std::string& written, std::uint64_t limit) {
  boost::asio::io_context context;
  Pipe pipe;
  Capture capture(context.get_executor(), std::move(pipe.read), limit);
  std::jthread writer([&written, fd = std::move(pipe.write)] {
    for (std::size_t at = 0; at < written.size();) {
      const ssize_t put = ::write(fd.get(), written.data() + at, written.size() - at);
      if (put <= 0) return;
      at += static_cast<std::size_t>(put);
    }
  });
  boost::asio::co_spawn(context, capture.run(), boost::asio::detached);
  context.run();
  return capture.take();
}

TEST(Capture, KeepsAllBelowTheLimit) {
  const auto stream = captured("hello\n", 6);
  EXPECT_EQ(stream.data, "hello\n");
  EXPECT_EQ(stream.bytes, 6U);
  EXPECT_FALSE(stream.truncated);
}

TEST(Capture, DrainsToTheEndAndCountsAllBeyondTheLimit) {
  const auto stream = captured(std::string(3'000'000, 'x'), 1000);
  EXPECT_EQ(stream.data.size(), 1000U);
  EXPECT_EQ(stream.bytes, 3'000'000U);
  EXPECT_TRUE(stream.truncated);
}

TEST(Capture, AnEmptyStreamIsEmpty) {
  const auto stream = captured("", 10);
  EXPECT_EQ(stream.bytes, 0U);
  EXPECT_FALSE(stream.truncated);
}

}  // namespace
}  // namespace outrigger::run
