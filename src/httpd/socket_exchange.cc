#include "httpd/socket_exchange.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>

namespace outrigger::httpd {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr int kSwitchingProtocols = 101;
constexpr std::string_view kLastChunk = "0\r\n\r\n";

std::string chunk_size(std::size_t size) {
  std::array<char, 20> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), size, 16).ptr;
  return std::string(text.data(), end) + "\r\n";
}

}  // namespace

SocketExchange::SocketExchange(tcp::socket& socket, SocketDeadline& deadline, Shared& shared, RequestHead head,
                               const bool& finishing)
    : socket_(socket), deadline_(deadline), shared_(shared), head_(std::move(head)), finishing_(finishing) {}

asio::awaitable<bool> SocketExchange::put(std::string first, std::string second) {
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(first), asio::buffer(second)};
  deadline_.arm(shared_.options.write_timeout);
  const auto [ec, size] = co_await asio::async_write(socket_, buffers, kResult);
  deadline_.disarm();
  if (ec) gone_ = true;
  co_return !ec;
}

asio::awaitable<void> SocketExchange::answer(Response response) {
  state_ = State::kAnswered;
  if (gone_) co_return;
  keep_ = may_keep_ && head_.keep_alive && !finishing_;
  shared_.application->answered(head_, response.status);
  std::string first = head_to_wire(response, head_, keep_);
  std::string second = head_.method == "HEAD" ? std::string() : std::move(response.body);
  co_await put(std::move(first), std::move(second));
}

asio::awaitable<bool> SocketExchange::begin(Response head) {
  state_ = State::kStreaming;
  if (gone_) co_return false;
  keep_ = may_keep_ && head_.keep_alive && !finishing_ && head_.version >= 11;
  shared_.application->answered(head_, head.status);
  const bool sent = co_await put(stream_head_to_wire(head, head_, keep_), std::string());
  co_return sent;
}

asio::awaitable<bool> SocketExchange::write(std::string piece) {
  if (gone_ || piece.empty()) co_return !gone_;
  std::string first = head_.version >= 11 ? chunk_size(piece.size()) : std::string();
  if (head_.version >= 11) piece += "\r\n";
  const bool sent = co_await put(std::move(first), std::move(piece));
  co_return sent;
}

asio::awaitable<void> SocketExchange::finish() {
  state_ = State::kAnswered;
  if (!gone_ && head_.version >= 11) co_await put(std::string(kLastChunk), std::string());
}

asio::awaitable<std::unique_ptr<WebSocket>> SocketExchange::upgrade() {
  if (more_has_come_) {  // the client must wait for the answer (RFC 6455, 4.1)
    may_keep_ = false;
    co_await answer(shared_.application->refuse(head_, Fault::kBadRequest,
                                                "nothing may be sent before the WebSocket's handshake is answered"));
    co_return nullptr;
  }
  state_ = State::kUpgraded;
  auto web_socket = std::make_unique<WebSocket>(socket_, deadline_, shared_.set, shared_.options);
  shared_.application->answered(head_, kSwitchingProtocols);
  const bool accepted = !gone_ && co_await web_socket->accept(head_);
  gone_ |= !accepted;
  if (!accepted) web_socket.reset();
  co_return web_socket;
}

std::unique_ptr<PeerWatch> SocketExchange::watch(std::function<void()> on_left) {
  return std::make_unique<PeerWatch>(socket_, [this, on_left = std::move(on_left)] {
    gone_ = true;
    on_left();
  });
}

}  // namespace outrigger::httpd
