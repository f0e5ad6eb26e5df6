#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>

#include "httpd/message.h"
#include "httpd/peer_watch.h"
#include "httpd/web_socket.h"

namespace outrigger::httpd {

// One request and its answer, as whoever serves it sees them. It is answered in one of three ways, once: whole, piece
// by piece, or by becoming a WebSocket. Single-threaded; one call at a time.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  [[nodiscard]] virtual const RequestHead& head() const = 0;
  [[nodiscard]] virtual std::string take_body() = 0;

  virtual boost::asio::awaitable<void> answer(Response response) = 0;

  // Sends the head of `head`, whose body is not looked at; the pieces follow as they come (chunked, RFC 9112, 7.1; up
  // to the connection's end for an HTTP/1.0 client), and finish() ends them. False where the client has left or takes
  // nothing any more.
  virtual boost::asio::awaitable<bool> begin(Response head) = 0;
  virtual boost::asio::awaitable<bool> write(std::string piece) = 0;
  virtual boost::asio::awaitable<void> finish() = 0;

  // Of a request whose handshake is good (httpd/handshake.h). Null where the client has left, or broke the protocol and
  // was told so. The socket must go before the exchange does, and afterwards the connection ends.
  virtual boost::asio::awaitable<std::unique_ptr<WebSocket>> upgrade() = 0;

  // Tells, while it lives, when the client leaves; not beside a WebSocket, which tells by itself.
  [[nodiscard]] virtual std::unique_ptr<PeerWatch> watch(std::function<void()> on_left) = 0;
};

}  // namespace outrigger::httpd
