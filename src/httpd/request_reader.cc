#include "httpd/request_reader.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>

namespace outrigger::httpd {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Parser = http::request_parser<http::buffer_body>;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kPiece = 64U << 10;
constexpr std::size_t kKeptBuffer = 4U << 10;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

RequestHead head_of(const Parser& parser) {
  const auto& message = parser.get();
  RequestHead head;
  head.method = std::string(message.method_string());
  head.target = std::string(message.target());
  head.version = message.version();
  head.keep_alive = message.keep_alive();
  head.has_body = !parser.is_done();
  if (const auto length = parser.content_length()) head.content_length = *length;
  for (const auto& field : message) head.headers.emplace_back(field.name_string(), field.value());
  head.received_at = std::chrono::steady_clock::now();
  return head;
}

// Text that was understood as a request and broke HTTP's rules; not a connection that ended.
bool is_bad_http(error_code ec) {
  return ec.category() == http::make_error_code(http::error::bad_method).category() &&
         ec != http::error::end_of_stream && ec != http::error::partial_message;
}

ReadFailure failed(Fault fault, std::string message) { return ReadFailure{fault, std::move(message)}; }

}  // namespace

struct RequestReader::Impl {
  Impl(asio::ip::tcp::socket& its_socket, SocketDeadline& its_deadline, const Options& its_options)
      : socket(its_socket), deadline(its_deadline), options(its_options) {}

  ReadFailure explain(error_code ec, const std::string& what) const {
    if (deadline.struck()) return failed(Fault::kTimeout, what + " did not arrive in time");
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow) {
      return failed(Fault::kHeadTooLarge,
                    "the request's head must not be larger than " + std::to_string(options.max_head) + " bytes");
    }
    if (is_bad_http(ec)) return failed(Fault::kBadRequest, what + " is not valid HTTP: " + ec.message());
    return ReadFailure{};
  }

  [[nodiscard]] bool client_waits_to_send() const {
    return parser->get().find(http::field::expect) != parser->get().end() && parser->get().version() >= 11 &&
           buffer.size() == 0;
  }

  // Appends what comes next to `body`; the failure, if any, in `failure`. All live in the caller's frame.
  asio::awaitable<void> read_piece(std::string& body, BufferShare& share, std::size_t maximum,
                                   std::optional<ReadFailure>& failure) {
    const std::size_t before = body.size();
    // One byte more than may come, so that too much is seen.
    std::size_t piece = std::min(kPiece, maximum + 1 - before);
    if (const auto left = parser->content_length_remaining()) piece = std::min<std::size_t>(piece, *left);
    if (!share.grow(piece)) {
      failure = failed(Fault::kBusy, "too many large requests at a time; try again later");
      co_return;
    }
    body.resize(before + piece);
    auto& target = parser->get().body();
    target.data = body.data() + before;
    target.size = piece;
    const auto [ec, size] = co_await http::async_read(socket, buffer, *parser, kResult);
    body.resize(before + piece - target.size);
    if (ec && ec != http::error::need_buffer) {
      failure = explain(ec, "the request's body");
    } else if (body.size() > maximum) {
      failure = failed(Fault::kBodyTooLarge,
                       "the request body must not be larger than " + std::to_string(maximum) + " bytes");
    }
  }

  asio::ip::tcp::socket& socket;
  SocketDeadline& deadline;
  const Options& options;
  boost::beast::flat_buffer buffer{kPiece};
  std::unique_ptr<Parser> parser;  // of the request being read
};

RequestReader::RequestReader(asio::ip::tcp::socket& socket, SocketDeadline& deadline, const Options& options)
    : impl_(std::make_unique<Impl>(socket, deadline, options)) {}

RequestReader::~RequestReader() = default;

bool RequestReader::has_pending() const { return impl_->buffer.size() > 0; }

void RequestReader::trim() {
  impl_->parser.reset();
  if (impl_->buffer.size() == 0 && impl_->buffer.capacity() > kKeptBuffer) impl_->buffer.shrink_to_fit();
}

asio::awaitable<std::expected<RequestHead, ReadFailure>> RequestReader::read_head() {
  impl_->parser = std::make_unique<Parser>();
  Parser& parser = *impl_->parser;
  parser.header_limit(static_cast<std::uint32_t>(impl_->options.max_head));
  // Beast's own limit strikes inside the head and leaves nothing to answer from: the gate and read_piece count instead.
  parser.body_limit(boost::none);
  impl_->deadline.arm(impl_->options.header_timeout);
  const auto [ec, size] = co_await http::async_read_header(impl_->socket, impl_->buffer, parser, kResult);
  impl_->deadline.disarm();
  if (ec) co_return std::unexpected(impl_->explain(ec, "the request's head"));
  RequestHead head = head_of(parser);
  co_return head;
}

asio::awaitable<std::expected<std::string, ReadFailure>> RequestReader::read_body(BufferShare& share,
                                                                                  std::size_t maximum) {
  std::string body;
  std::optional<ReadFailure> failure;
  impl_->deadline.arm(impl_->options.body_timeout);
  if (!impl_->parser->is_done() && impl_->client_waits_to_send()) {
    co_await asio::async_write(impl_->socket, asio::buffer(kContinue), kResult);
  }
  while (!impl_->parser->is_done() && !failure) co_await impl_->read_piece(body, share, maximum, failure);
  impl_->deadline.disarm();
  if (failure) co_return std::unexpected(std::move(*failure));
  co_return body;
}

}  // namespace outrigger::httpd
