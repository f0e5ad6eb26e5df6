#include "run/readable.h"

#include <poll.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace outrigger::run {
namespace asio = boost::asio;

asio::awaitable<bool> wait_readable(asio::posix::stream_descriptor& descriptor) {
  for (;;) {
    const auto [error] =
        co_await descriptor.async_wait(asio::posix::descriptor_base::wait_read, asio::as_tuple(asio::use_awaitable));
    if (error) co_return false;
    pollfd state{descriptor.native_handle(), POLLIN, 0};
    if (::poll(&state, 1, 0) != 0) co_return true;
  }
}

}  // namespace outrigger::run
