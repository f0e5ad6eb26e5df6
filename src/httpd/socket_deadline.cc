#include "httpd/socket_deadline.h"

namespace outrigger::httpd {
namespace {

// A composed read can be between two of its steps when the deadline strikes: then there was nothing to cancel, and it
// has to be told again.
constexpr std::chrono::milliseconds kStrikeAgain{20};

}  // namespace

SocketDeadline::SocketDeadline(boost::asio::ip::tcp::socket& socket)
    : state_(std::make_shared<State>(State{socket, boost::asio::steady_timer(socket.get_executor())})) {}

void SocketDeadline::arm(std::chrono::milliseconds limit) {
  ++state_->armed;
  state_->struck = false;
  wait(state_, limit);
}

void SocketDeadline::disarm() {
  ++state_->armed;
  state_->timer.cancel();
}

void SocketDeadline::wait(const std::shared_ptr<State>& state, std::chrono::milliseconds limit) {
  state->timer.expires_after(limit);
  state->timer.async_wait([state, armed = state->armed](const boost::system::error_code& ec) {
    if (ec || state->armed != armed) return;
    state->struck = true;
    boost::system::error_code ignored;
    state->socket.cancel(ignored);
    wait(state, kStrikeAgain);
  });
}

}  // namespace outrigger::httpd
