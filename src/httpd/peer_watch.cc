#include "httpd/peer_watch.h"

#include <poll.h>

#include <chrono>
#include <utility>

namespace outrigger::httpd {
namespace {

// While unread data makes the socket readable, readiness says nothing about the end behind it: then it is asked for.
constexpr std::chrono::milliseconds kLookAgain{50};

bool has_left(int socket) {
  pollfd entry{socket, POLLRDHUP, 0};
  return ::poll(&entry, 1, 0) == 1 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

}  // namespace

PeerWatch::PeerWatch(boost::asio::ip::tcp::socket& socket, std::function<void()> on_left)
    : state_(std::make_shared<State>(
          State{socket, boost::asio::steady_timer(socket.get_executor()), std::move(on_left)})) {
  wait_for_event(state_);
}

PeerWatch::~PeerWatch() {
  state_->on_left = nullptr;
  state_->timer.cancel();
  boost::system::error_code ignored;
  state_->socket.cancel(ignored);
}

bool PeerWatch::check(const std::shared_ptr<State>& state) {
  if (!state->on_left) return true;
  if (!has_left(state->socket.native_handle())) return false;
  std::exchange(state->on_left, nullptr)();
  return true;
}

void PeerWatch::wait_for_event(const std::shared_ptr<State>& state) {
  state->socket.async_wait(boost::asio::ip::tcp::socket::wait_read, [state](const boost::system::error_code& /*ec*/) {
    if (!check(state)) look_again_later(state);
  });
}

void PeerWatch::look_again_later(const std::shared_ptr<State>& state) {
  state->timer.expires_after(kLookAgain);
  state->timer.async_wait([state](const boost::system::error_code& /*ec*/) {
    if (!check(state)) look_again_later(state);
  });
}

}  // namespace outrigger::httpd
