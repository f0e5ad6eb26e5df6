#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "httpd/application.h"
#include "httpd/connection_set.h"
#include "httpd/message.h"
#include "httpd/options.h"
#include "httpd/socket_deadline.h"

namespace outrigger::httpd {

// Why a request could not be read. Without a fault nobody is left to be told: the client closed or the network broke.
struct ReadFailure {
  std::optional<Fault> fault;
  std::string message;
};

// Reads requests off a socket, one after the other, each within its deadlines and sizes. The home of the HTTP parser.
class RequestReader {
 public:
  // All four outlive the reader.
  RequestReader(boost::asio::ip::tcp::socket& socket, SocketDeadline& deadline, const Options& options);
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;
  ~RequestReader();

  // Whether bytes of a further request are here already.
  [[nodiscard]] bool has_pending() const;
  // Gives back memory that a connection between two requests does not need.
  void trim();

  boost::asio::awaitable<std::expected<RequestHead, ReadFailure>> read_head();
  // The body that follows the head just read, of at most `maximum` bytes; its memory is held by `share`, which the
  // caller keeps meanwhile. Sends "100 Continue" to a client that waits for it.
  boost::asio::awaitable<std::expected<std::string, ReadFailure>> read_body(BufferShare& share, std::size_t maximum);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace outrigger::httpd
