#include "httpd/web_socket.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>

namespace outrigger::httpd {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kHandshake{10};  // of the closing one too
constexpr std::size_t kPiece = 64U << 10;

http::request<http::empty_body> request_of(const RequestHead& head) {
  http::request<http::empty_body> request;
  request.method_string(head.method);
  request.target(head.target);
  request.version(head.version);
  for (const auto& [name, value] : head.headers) request.insert(name, value);
  return request;
}

// The socket as Beast is to use it: how a connection ends is for connection.cc to say. Beast's own way closes a socket
// on unread data, and the reset that follows can overtake the close that was sent.
class Layer {
 public:
  using executor_type = tcp::socket::executor_type;

  explicit Layer(tcp::socket& socket) : socket_(socket) {}

  executor_type get_executor() { return socket_.get_executor(); }
  tcp::socket& socket() { return socket_; }

  template <typename Buffers, typename Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    return socket_.async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return socket_.async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  tcp::socket& socket_;
};

// Found by their names (boost/beast/websocket/teardown.hpp, boost/beast/core/stream_traits.hpp).
template <typename Handler>
void async_teardown(boost::beast::role_type /*role*/, Layer& layer, Handler&& handler) {
  boost::system::error_code ec;
  layer.socket().shutdown(tcp::socket::shutdown_send, ec);
  asio::post(layer.get_executor(), boost::beast::bind_front_handler(std::forward<Handler>(handler), ec));
}
void beast_close_socket(Layer& layer) {
  boost::system::error_code ignored;
  layer.socket().close(ignored);
}

// At most so many bytes, and no part of a character.
void shorten(std::string& reason) {
  if (reason.size() <= kMaxCloseReason) return;
  std::size_t end = kMaxCloseReason;
  while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U) --end;
  reason.resize(end);
}

}  // namespace

struct WebSocket::Impl {
  Impl(tcp::socket& socket, SocketDeadline& its_deadline, ConnectionSet& set, const Options& its_options)
      : stream(socket), deadline(its_deadline), share(set), options(its_options) {}

  // Makes room for a message of so many bytes, in what all connections may take together.
  bool has_room(std::size_t bytes) {
    if (bytes <= counted) return true;
    out_of_room = !share.grow(bytes - counted);
    if (out_of_room) return false;
    counted = bytes;
    return true;
  }

  websocket::stream<Layer, false> stream;  // without compression: whoever sends is not trusted with it
  SocketDeadline& deadline;
  BufferShare share;
  std::size_t counted = 0;
  bool out_of_room = false;
  const Options& options;
};

WebSocket::WebSocket(tcp::socket& socket, SocketDeadline& deadline, ConnectionSet& set, const Options& options)
    : impl_(std::make_unique<Impl>(socket, deadline, set, options)) {
  impl_->stream.set_option(websocket::stream_base::timeout{kHandshake, 2 * options.ping_after, true});
  impl_->stream.auto_fragment(false);
}

WebSocket::~WebSocket() = default;

asio::awaitable<bool> WebSocket::accept(const RequestHead& head) {
  const auto request = request_of(head);
  const auto [ec] = co_await impl_->stream.async_accept(request, kResult);
  co_return !ec;
}

asio::awaitable<std::optional<WebSocket::Message>> WebSocket::receive(std::size_t most) {
  boost::beast::flat_buffer buffer;
  impl_->stream.read_message_max(most);
  do {
    const auto [ec, size] = co_await impl_->stream.async_read_some(buffer, kPiece, kResult);
    if (ec) co_return std::nullopt;
    if (!impl_->has_room(buffer.size())) co_return std::nullopt;
  } while (!impl_->stream.is_message_done());
  std::optional<Message> message;
  message.emplace(boost::beast::buffers_to_string(buffer.data()), impl_->stream.got_text());
  co_return message;
}

bool WebSocket::out_of_room() const { return impl_->out_of_room; }

asio::awaitable<bool> WebSocket::send(std::string text) {
  impl_->stream.text(true);
  const asio::const_buffer bytes = asio::buffer(text);
  impl_->deadline.arm(impl_->options.write_timeout);
  const auto [ec, size] = co_await impl_->stream.async_write(bytes, kResult);
  impl_->deadline.disarm();
  co_return !ec;
}

asio::awaitable<void> WebSocket::close(std::uint16_t code, std::string reason) {
  shorten(reason);
  const websocket::close_reason told(static_cast<websocket::close_code>(code), reason);
  co_await impl_->stream.async_close(told, kResult);
}

}  // namespace outrigger::httpd
