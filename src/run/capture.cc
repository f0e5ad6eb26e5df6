#include "run/capture.h"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace outrigger::run {
namespace asio = boost::asio;
namespace {

constexpr std::size_t kFirstBuffer = 4096;
constexpr std::size_t kFullBuffer = 64 * 1024;  // what a pipe holds

}  // namespace

Capture::Capture(const asio::any_io_executor& executor, base::UniqueFd pipe, std::uint64_t limit,
                 std::function<void(std::string_view)> tap)
    : pipe_(executor, pipe.release()), room_(limit), tap_(std::move(tap)) {}

void Capture::keep(const char* bytes, std::size_t size) {
  stream_.bytes += size;
  if (size > room_) stream_.truncated = true;
  const std::string_view kept(bytes, std::min<std::uint64_t>(size, room_));
  room_ -= kept.size();
  if (!tap_) {
    stream_.data += kept;
  } else if (!kept.empty()) {
    tap_(kept);
  }
}

asio::awaitable<void> Capture::run() {
  // Most programs print a line: the buffer grows for those that print more.
  std::string buffer(kFirstBuffer, '\0');
  for (;;) {
    const auto [error, size] =
        co_await pipe_.async_read_some(asio::buffer(buffer), asio::as_tuple(asio::use_awaitable));
    if (error) break;
    keep(buffer.data(), size);
    if (size == buffer.size() && size < kFullBuffer) buffer.resize(kFullBuffer);
  }
  boost::system::error_code ignored;
  pipe_.close(ignored);
}

}  // namespace outrigger::run
