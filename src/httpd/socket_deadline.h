#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>

namespace outrigger::httpd {

// Cancels what a socket is doing once a time has passed; the socket stays open, so that 408 can still be written. One
// deadline spans all the operations between arm() and disarm(), so a client that drips bytes gains nothing.
class SocketDeadline {
 public:
  explicit SocketDeadline(boost::asio::ip::tcp::socket& socket);
  SocketDeadline(const SocketDeadline&) = delete;
  SocketDeadline& operator=(const SocketDeadline&) = delete;
  ~SocketDeadline() { disarm(); }

  void arm(std::chrono::milliseconds limit);
  void disarm();
  // Whether it has struck since it was last armed.
  [[nodiscard]] bool struck() const { return state_->struck; }

 private:
  // Outlives the deadline in handlers that are already on their way.
  struct State {
    boost::asio::ip::tcp::socket& socket;
    boost::asio::steady_timer timer;
    std::uint64_t armed = 0;  // counts arm() and disarm(); a handler that knows an older number is late
    bool struck = false;
  };
  static void wait(const std::shared_ptr<State>& state, std::chrono::milliseconds limit);

  std::shared_ptr<State> state_;
};

}  // namespace outrigger::httpd
