#include "http/client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace outrigger::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

// Two streams of 64 MiB at most, as base64.
constexpr std::uint64_t kMaxAnswer = 256ULL << 20;
constexpr const char* kEvents = "text/event-stream";

std::string host_and_port(const Request& request) {
  const bool v6 = request.host.find(':') != std::string::npos;
  return (v6 ? "[" + request.host + "]" : request.host) + ":" + std::to_string(request.port);
}

http::verb verb_of(Method method) {
  switch (method) {
    case Method::kGet: return http::verb::get;
    case Method::kPost: return http::verb::post;
    case Method::kPut: return http::verb::put;
    case Method::kDelete: return http::verb::delete_;
  }
  return http::verb::get;
}

// Beast's timeouts work on asynchronous operations only: one at a time, each run to its end.
class Exchange {
 public:
  explicit Exchange(const Request& request) : request_(request) {}

  error_code connect() {
    asio::ip::tcp::resolver resolver(context_);
    error_code resolved;
    const auto addresses = resolver.resolve(request_.host, std::to_string(request_.port), resolved);
    if (resolved) return resolved;
    stream_.expires_after(request_.connect_timeout);
    return finish([&](auto handler) {
      stream_.async_connect(addresses, [handler](error_code error, const auto&) { handler(error); });
    });
  }

  error_code send() {
    message_.method(verb_of(request_.method));
    message_.target(request_.target);
    message_.version(11);
    message_.set(http::field::host, host_and_port(request_));
    if (request_.method == Method::kPost || request_.method == Method::kPut)
      message_.set(http::field::content_type, "application/json");
    if (!request_.idempotency_key.empty()) message_.set("Idempotency-Key", request_.idempotency_key);
    message_.set(http::field::accept, request_.on_events ? kEvents : "application/json");
    message_.set(http::field::connection, "close");
    if (!request_.token.empty()) message_.set(http::field::authorization, "Bearer " + request_.token);
    message_.body() = request_.body;
    message_.prepare_payload();
    stream_.expires_after(request_.answer_timeout);
    return finish([&](auto handler) {
      http::async_write(stream_, message_, [handler](error_code error, std::size_t) { handler(error); });
    });
  }

  error_code receive() {
    parser_.body_limit(kMaxAnswer);
    stream_.expires_after(request_.answer_timeout);
    const error_code error = finish([&](auto handler) {
      http::async_read_header(stream_, buffer_, parser_, [handler](error_code error, std::size_t) { handler(error); });
    });
    if (error) return error;
    told_ = request_.on_events && parser_.get().result() == http::status::ok &&
            parser_.get()[http::field::content_type].starts_with(kEvents);
    if (told_) return tell_pieces();
    stream_.expires_after(request_.answer_timeout);
    return finish([&](auto handler) {
      http::async_read(stream_, buffer_, parser_, [handler](error_code error, std::size_t) { handler(error); });
    });
  }

  Answer take() { return {parser_.get().result_int(), std::move(parser_.get().body()), told_}; }

 private:
  error_code tell_pieces() {
    // Not eager: that would hold a chunk back until the next one's size has come.
    parser_.eager(false);
    bool wanted = true;
    while (wanted && !parser_.is_done()) {
      stream_.expires_after(request_.answer_timeout);
      const error_code error = finish([&](auto handler) {
        http::async_read_some(stream_, buffer_, parser_, [handler](error_code error, std::size_t) { handler(error); });
      });
      if (error) return error;
      if (!parser_.get().body().empty()) wanted = request_.on_events(parser_.get().body());
      parser_.get().body().clear();
    }
    return {};
  }

  template <typename Start>
  error_code finish(Start start) {
    error_code result;
    start([&result](error_code error) { result = error; });
    context_.restart();
    context_.run();
    return result;
  }

  const Request& request_;
  asio::io_context context_{1};
  beast::tcp_stream stream_{context_};
  http::request<http::string_body> message_;
  beast::flat_buffer buffer_;
  http::response_parser<http::string_body> parser_;
  bool told_ = false;
};

}  // namespace

std::expected<Answer, Failure> exchange(const Request& request) {
  const std::string place = "http://" + host_and_port(request);
  Exchange one(request);
  if (const error_code error = one.connect()) {
    return std::unexpected(Failure{Stage::kConnect, "cannot reach " + place + " (" + error.message() + ")"});
  }
  // A server that refuses early answers and closes before it has read all: its answer tells more than our failed write.
  const error_code sent = one.send();
  if (const error_code error = one.receive()) {
    return std::unexpected(Failure{Stage::kAnswer, "no answer from " + place + ": " + (sent ? sent : error).message()});
  }
  return one.take();
}

}  // namespace outrigger::http
