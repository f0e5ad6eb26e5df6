#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>

namespace outrigger::httpd {

// Tells when the client at the other end of a socket leaves while nothing is read from it. A client that closes its
// sending half has left too: it cannot ask for anything more, and no half-open connection shall keep a job alive.
// Requests that it has already sent on (pipelining) are not leaving; they stay unread.
class PeerWatch {
 public:
  // `on_left` is called at most once, and never after the watch has been destroyed. Nothing else may be waiting on the
  // socket meanwhile.
  PeerWatch(boost::asio::ip::tcp::socket& socket, std::function<void()> on_left);
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;
  ~PeerWatch();

 private:
  struct State {
    boost::asio::ip::tcp::socket& socket;
    boost::asio::steady_timer timer;
    std::function<void()> on_left;  // empty once called, or once the watch has ended
  };
  static void wait_for_event(const std::shared_ptr<State>& state);
  static void look_again_later(const std::shared_ptr<State>& state);
  static bool check(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;
};

}  // namespace outrigger::httpd
