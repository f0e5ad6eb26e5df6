#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

namespace outrigger::run {

// Waits until `descriptor` can be read from, has hung up or has failed; false where it was closed or the wait
// cancelled.
//
// Asio keeps the state of closed descriptors and gives it to new ones: an event still queued for the old one then wakes
// a wait for the new one. Whoever acts on readiness without reading (a pidfd means death, an ioctl blocks) must ask
// again.
boost::asio::awaitable<bool> wait_readable(boost::asio::posix::stream_descriptor& descriptor);

// Closed already is fine; what waits on it ends.
void close(boost::asio::posix::stream_descriptor& descriptor);

}  // namespace outrigger::run
