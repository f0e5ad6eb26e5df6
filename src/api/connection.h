#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <utility>

#include "api/connection_set.h"
#include "api/gate.h"
#include "api/handlers.h"
#include "api/options.h"
#include "metrics/exposition.h"

namespace outrigger::api {

// What all connections share. Each holds it: a connection's frame may be destroyed as late as with the event loop.
struct Shared {
  Shared(const boost::asio::any_io_executor& executor, const Services& services, Options its_options)
      : options(std::move(its_options)),
        gate(options),
        handlers(services, options),
        set(executor, options.max_buffered) {}

  Options options;
  Gate gate;
  Handlers handlers;
  ConnectionSet set;
  metrics::HttpState http;
};

// Serves one client until one of the two ends it. HTTP/1.1 with keep-alive and pipelining, one request at a time.
boost::asio::awaitable<void> serve_connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<Shared> shared);

// For a client too many: 503, then the end.
boost::asio::awaitable<void> refuse_connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<Shared> shared);

}  // namespace outrigger::api
