#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "api/application.h"
#include "httpd/server.h"

namespace outrigger::api {

// The API over HTTP. Single-threaded; `context` and what `services` holds outlive it.
class Server {
 public:
  Server(boost::asio::io_context& context, boost::asio::ip::tcp::acceptor listener, const Services& services,
         const Options& options)
      : application_(std::make_shared<Application>(services, options)),
        server_(context, std::move(listener), application_, options.http) {
    application_->count_connections_by([this] { return server_.connections(); });
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { application_->count_connections_by({}); }

  void start() { server_.start(); }
  // Takes no further connection and no further job; idle connections end, the others after the answer they wait for.
  void stop() {
    application_->begin_shutdown();
    server_.stop();
  }
  // After stop(): returns when every answer has been sent, at the latest after `limit`, when what is left is cut off.
  boost::asio::awaitable<void> drained(std::chrono::milliseconds limit) { return server_.drained(limit); }

 private:
  std::shared_ptr<Application> application_;
  httpd::Server server_;
};

}  // namespace outrigger::api
