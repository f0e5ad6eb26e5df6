#include "run/readable.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "sys/process.h"

namespace outrigger::run {
namespace asio = boost::asio;

asio::awaitable<bool> wait_readable(asio::posix::stream_descriptor& descriptor) {
  for (;;) {
    const auto [error] =
        co_await descriptor.async_wait(asio::posix::descriptor_base::wait_read, asio::as_tuple(asio::use_awaitable));
    if (error) co_return false;
    if (sys::has_events(descriptor.native_handle())) co_return true;
  }
}

void close(asio::posix::stream_descriptor& descriptor) {
  boost::system::error_code ignored;
  descriptor.close(ignored);
}

}  // namespace outrigger::run
