#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "httpd/connection_set.h"
#include "httpd/message.h"
#include "httpd/options.h"
#include "httpd/socket_deadline.h"

namespace outrigger::httpd {

// The standard's longest, in bytes, for the reason of a close (RFC 6455, 5.5: a control frame has 125, the code is
// two).
inline constexpr std::size_t kMaxCloseReason = 123;

// The server's end of a WebSocket (RFC 6455). Reading beside sending is fine; two of either at a time are not. Pings
// are answered, and what breaks the protocol ends the connection with the standard's code, without whoever uses this.
class WebSocket {
 public:
  struct Message {
    std::string data;
    bool text = true;  // UTF-8; else any bytes
  };

  // All of it outlives the WebSocket. The longest message there was counts as memory of the set's.
  WebSocket(boost::asio::ip::tcp::socket& socket, SocketDeadline& deadline, ConnectionSet& set, const Options& options);
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  ~WebSocket();

  // Answers the handshake, which is a good one. False where the client has left.
  boost::asio::awaitable<bool> accept(const RequestHead& head);

  // The next message; nothing once the connection is closing or broken, or where all connections together hold as much
  // as they may: out_of_room(). One of more than `most` bytes closes it (1009).
  boost::asio::awaitable<std::optional<Message>> receive(std::size_t most);
  [[nodiscard]] bool out_of_room() const;
  // False where it can't be sent any more.
  boost::asio::awaitable<bool> send(std::string text);
  // Returns when the client has answered, or has had time enough. What is received meanwhile is dropped. `code`: of
  // RFC 6455, 7.4; of `reason` at most kMaxCloseReason are sent.
  boost::asio::awaitable<void> close(std::uint16_t code, std::string reason);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace outrigger::httpd
