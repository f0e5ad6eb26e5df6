#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/unique_fd.h"
#include "model/outcome.h"

namespace outrigger::run {

// Reads one output stream to its end. Beyond `limit` bytes it goes on reading and counting but keeps nothing, so that a
// talkative program is never held up by its own output. The end is the pipe's: when nothing of the jail lives, nobody
// holds the other end.
class Capture {
 public:
  // `tap`: gets what is kept as it comes, and it is not kept here then; may be empty.
  Capture(const boost::asio::any_io_executor& executor, base::UniqueFd pipe, std::uint64_t limit,
          std::function<void(std::string_view)> tap = {});

  boost::asio::awaitable<void> run();
  [[nodiscard]] bool truncated() const { return stream_.truncated; }
  [[nodiscard]] model::CapturedStream take() { return std::move(stream_); }

 private:
  void keep(const char* bytes, std::size_t size);

  boost::asio::posix::stream_descriptor pipe_;
  std::uint64_t room_;
  std::function<void(std::string_view)> tap_;
  model::CapturedStream stream_;
};

}  // namespace outrigger::run
