#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "httpd/application.h"
#include "httpd/options.h"

namespace outrigger::httpd {

struct Shared;

// A listening socket on a numeric address; port 0 takes a free one.
base::Result<boost::asio::ip::tcp::acceptor> open_listener(boost::asio::io_context& context, const std::string& host,
                                                           std::uint16_t port);

// The HTTP server. Single-threaded: all calls from the io_context's thread. `context` outlives it.
class Server {
 public:
  Server(boost::asio::io_context& context, boost::asio::ip::tcp::acceptor listener,
         std::shared_ptr<Application> application, Options options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  void start();
  // Takes no further connection and no further job; idle connections end, the others after the answer they wait for.
  void stop();
  // After stop(): returns when every answer has been sent, at the latest after `limit`, when what is left is cut off.
  boost::asio::awaitable<void> drained(std::chrono::milliseconds limit);
  [[nodiscard]] std::size_t connections() const;

 private:
  class Acceptor;

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Acceptor> acceptor_;
};

}  // namespace outrigger::httpd
