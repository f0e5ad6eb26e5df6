#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "api/feed_guard.h"
#include "api/handlers.h"
#include "api/message.h"
#include "api/output_pieces.h"
#include "httpd/web_socket.h"
#include "model/job.h"
#include "model/outcome.h"
#include "run/attendance.h"
#include "run/task_group.h"
#include "tenants/caller.h"

namespace outrigger::api {

// Who is at the other end.
struct LiveClient {
  tenants::Caller caller;
  std::size_t longest_start;  // of his messages until the one that starts a program, in bytes
};

// A program and a client that talks with it over a WebSocket, from the client's first message to the close of the
// connection. What the messages look like is a subclass's matter. Whoever ends it first, the program ends too: a client
// that leaves, and one that breaks the rules, cancel it. Single-threaded.
class LiveJob : public run::Follower {
 public:
  // Of the messages after that, in bytes: 1 MiB of stdin, encoded.
  static constexpr std::size_t kLongestMessage = 2U << 20;

  // Handlers and socket outlive it. `start_within`: then the program must have been asked for.
  LiveJob(const boost::asio::any_io_executor& executor, Handlers& handlers, httpd::WebSocket& socket, LiveClient client,
          std::chrono::milliseconds start_within);

  // Returns when the connection is closed and nothing of the program is left.
  boost::asio::awaitable<void> run();

  void wrote(run::Stream stream, std::string_view bytes) override;

 protected:
  // A message of the client's.
  virtual void hear(httpd::WebSocket::Message message) = 0;
  // None that starts a program has come in time.
  virtual void hear_nothing() = 0;
  [[nodiscard]] virtual std::string output_message(run::Stream stream, const std::string& data) const = 0;
  // The program has ended, and its output has been told; or it never began.
  virtual void finished(const model::Outcome& outcome) = 0;
  virtual void refused(const Response& refusal) = 0;

  // What is said goes to the client in this order, and output that came before it goes before it.
  void say(std::string message);
  // Closes the connection behind all that was said, and ends the program if it runs; the first call counts.
  void end(std::uint16_t code, std::string reason);

  // Once.
  void start(model::Job job);
  [[nodiscard]] bool has_started() const { return output_.has_value(); }
  // These say what is wrong where it is too much.
  [[nodiscard]] std::optional<wire::RequestError> feed(std::string_view bytes);
  [[nodiscard]] std::optional<wire::RequestError> count_control() { return guard_.control(FeedGuard::Clock::now()); }
  run::LiveInput& input() { return input_; }
  Handlers& handlers() { return handlers_; }
  [[nodiscard]] const tenants::Caller& caller() const { return client_.caller; }

 private:
  boost::asio::awaitable<void> listen();
  boost::asio::awaitable<void> await_start();
  boost::asio::awaitable<void> work(model::Job job);
  boost::asio::awaitable<std::optional<std::string>> next();
  void settle_output();

  Handlers& handlers_;
  httpd::WebSocket& socket_;
  LiveClient client_;
  std::chrono::milliseconds start_within_;
  boost::asio::steady_timer wake_;
  boost::asio::steady_timer start_timer_;
  run::TaskGroup tasks_;
  run::Cancellation cancellation_;
  run::LiveInput input_;
  FeedGuard guard_;
  std::optional<OutputPieces> output_;  // since the program was asked for
  std::deque<std::string> messages_;
  bool ended_ = false;
  std::uint16_t close_code_ = 0;
  std::string close_reason_;
};

}  // namespace outrigger::api
