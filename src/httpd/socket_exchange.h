#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "httpd/connection.h"
#include "httpd/exchange.h"
#include "httpd/socket_deadline.h"

namespace outrigger::httpd {

// An exchange over a connection's socket.
class SocketExchange final : public Exchange {
 public:
  // All of it outlives the exchange. `finishing`: whether the connection is to end after the answer.
  SocketExchange(boost::asio::ip::tcp::socket& socket, SocketDeadline& deadline, Shared& shared, RequestHead head,
                 const bool& finishing);

  [[nodiscard]] const RequestHead& head() const override { return head_; }
  [[nodiscard]] std::string take_body() override { return std::move(body_); }
  boost::asio::awaitable<void> answer(Response response) override;
  boost::asio::awaitable<bool> begin(Response head) override;
  boost::asio::awaitable<bool> write(std::string piece) override;
  boost::asio::awaitable<void> finish() override;
  boost::asio::awaitable<std::unique_ptr<WebSocket>> upgrade() override;
  [[nodiscard]] std::unique_ptr<PeerWatch> watch(std::function<void()> on_left) override;

  void set_body(std::string body) { body_ = std::move(body); }
  // More than the request has come already.
  void note_more() { more_has_come_ = true; }
  // The rest of the request stays unread: nothing that follows it can be understood.
  void end_after_answer() { may_keep_ = false; }
  [[nodiscard]] bool untouched() const { return state_ == State::kUnanswered; }
  // Whether the connection can serve another request.
  [[nodiscard]] bool keeps() const { return state_ == State::kAnswered && keep_ && !gone_; }
  // There is nobody left to tell anything.
  [[nodiscard]] bool gone() const { return gone_; }

 private:
  enum class State { kUnanswered, kStreaming, kAnswered, kUpgraded };

  boost::asio::awaitable<bool> put(std::string first, std::string second);

  boost::asio::ip::tcp::socket& socket_;
  SocketDeadline& deadline_;
  Shared& shared_;
  const RequestHead head_;
  const bool& finishing_;
  std::string body_;
  State state_ = State::kUnanswered;
  bool may_keep_ = true;
  bool more_has_come_ = false;
  bool keep_ = false;
  bool gone_ = false;
};

}  // namespace outrigger::httpd
