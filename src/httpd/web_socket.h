#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "httpd/message.h"

namespace outrigger::httpd {

struct WebSocketOptions {
  std::size_t max_message = 1U << 20;  // bytes; a longer one ends the connection with 1009
  // A client that is silent for half of it is sent a ping, and is gone if it does not answer.
  std::chrono::seconds idle{60};
};

// Why a connection is closed (RFC 6455, 7.4.1).
enum class CloseCode : std::uint16_t {
  kNormal = 1000,
  kGoingAway = 1001,
  kProtocolError = 1002,
  kUnsupportedData = 1003,
  kPolicyViolation = 1008,
  kTooBig = 1009,
  kInternalError = 1011,
  kTryAgainLater = 1013,
};

// The server's end of a WebSocket (RFC 6455). Reading beside writing is fine; two of either at a time are not.
class WebSocket {
 public:
  struct Message {
    std::string data;
    bool text = true;
  };

  // `socket` outlives it.
  WebSocket(boost::asio::ip::tcp::socket& socket, WebSocketOptions options);
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  ~WebSocket();

  // Whether `head` asks for a WebSocket at all.
  static bool is_wanted(const RequestHead& head);
  // Answers the handshake. False where it is no good one; Beast has told the client then.
  boost::asio::awaitable<bool> accept(const RequestHead& head);

  // The next message; nothing once the connection is closing or broken.
  boost::asio::awaitable<std::optional<Message>> receive();
  // False where it can't be sent any more.
  boost::asio::awaitable<bool> send(std::string text);
  // `reason`: at most 123 bytes of it are sent. Returns when the client has answered, or has had time enough.
  boost::asio::awaitable<void> close(CloseCode code, std::string reason);
  // Ends what receive() waits for, from another coroutine.
  void interrupt();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace outrigger::httpd
