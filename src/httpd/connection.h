#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <utility>

#include "httpd/application.h"
#include "httpd/connection_set.h"
#include "httpd/options.h"

namespace outrigger::httpd {

// What all connections share. Each holds it: a connection's frame may be destroyed as late as with the event loop.
struct Shared {
  Shared(const boost::asio::any_io_executor& executor, std::shared_ptr<Application> its_application,
         Options its_options)
      : options(its_options), application(std::move(its_application)), set(executor, options.max_buffered) {}

  Options options;
  std::shared_ptr<Application> application;
  ConnectionSet set;
};

// Serves one client until one of the two ends it. HTTP/1.1 with keep-alive and pipelining, one request at a time.
boost::asio::awaitable<void> serve_connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<Shared> shared);

// For a client too many: 503, then the end.
boost::asio::awaitable<void> refuse_connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<Shared> shared);

}  // namespace outrigger::httpd
