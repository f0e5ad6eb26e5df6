#include "httpd/web_socket.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace outrigger::httpd {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using Request = http::request<http::empty_body>;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxReason = 123;  // a control frame has 125 bytes, the code two of them
constexpr std::chrono::seconds kHandshake{10};

Request request_of(const RequestHead& head) {
  Request request;
  request.method_string(head.method);
  request.target(head.target);
  request.version(head.version);
  for (const auto& [name, value] : head.headers) request.insert(name, value);
  return request;
}

}  // namespace

struct WebSocket::Impl {
  explicit Impl(tcp::socket& socket) : stream(socket) {}

  websocket::stream<tcp::socket&, false> stream;  // without compression: whoever sends is not trusted with it
  boost::beast::flat_buffer buffer;
};

WebSocket::WebSocket(tcp::socket& socket, WebSocketOptions options) : impl_(std::make_unique<Impl>(socket)) {
  impl_->stream.set_option(websocket::stream_base::timeout{kHandshake, options.idle, true});
  impl_->stream.read_message_max(options.max_message);
}

WebSocket::~WebSocket() = default;

bool WebSocket::is_wanted(const RequestHead& head) { return websocket::is_upgrade(request_of(head)); }

asio::awaitable<bool> WebSocket::accept(const RequestHead& head) {
  const Request request = request_of(head);
  const auto [ec] = co_await impl_->stream.async_accept(request, kResult);
  co_return !ec;
}

asio::awaitable<std::optional<WebSocket::Message>> WebSocket::receive() {
  impl_->buffer.clear();
  const auto [ec, size] = co_await impl_->stream.async_read(impl_->buffer, kResult);
  std::optional<Message> message;
  if (!ec) message.emplace(boost::beast::buffers_to_string(impl_->buffer.data()), impl_->stream.got_text());
  co_return message;
}

asio::awaitable<bool> WebSocket::send(std::string text) {
  impl_->stream.text(true);
  const asio::const_buffer bytes = asio::buffer(text);
  const auto [ec, size] = co_await impl_->stream.async_write(bytes, kResult);
  co_return !ec;
}

asio::awaitable<void> WebSocket::close(CloseCode code, std::string reason) {
  if (reason.size() > kMaxReason) reason.resize(kMaxReason);
  const websocket::close_reason told(static_cast<websocket::close_code>(code), reason);
  co_await impl_->stream.async_close(told, kResult);
}

void WebSocket::interrupt() {
  boost::system::error_code ignored;
  impl_->stream.next_layer().cancel(ignored);
}

}  // namespace outrigger::httpd
