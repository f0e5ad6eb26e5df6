#include "api/connection.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <exception>

#include "api/error_response.h"
#include "api/header_values.h"
#include "api/peer_watch.h"
#include "api/request_reader.h"
#include "api/socket_deadline.h"
#include "base/log.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);

class Connection final : public Member {
 public:
  Connection(tcp::socket socket, std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)),
        socket_(std::move(socket)),
        deadline_(socket_),
        reader_(socket_, deadline_, shared_->options) {
    shared_->set.add(*this);
  }
  ~Connection() override { shared_->set.remove(*this); }

  asio::awaitable<void> run() {
    bool going_on = true;
    while (going_on) {
      going_on = co_await wait_for_request();
      if (going_on) going_on = co_await serve_request();
    }
    co_await linger();
  }

  asio::awaitable<void> refuse() {
    co_await send(error_response(Problem::kServerBusy, "too many connections; try again later"), RequestHead{}, false);
    co_await linger();
  }

  void finish() override {
    finishing_ = true;
    if (idle_) abort();
  }
  void abort() override {
    quiet_ = true;
    error_code ignored;
    socket_.close(ignored);
  }
  [[nodiscard]] bool idle() const override { return idle_; }
  [[nodiscard]] std::chrono::steady_clock::time_point idle_since() const override { return idle_since_; }

 private:
  void become_idle() {
    idle_ = true;
    idle_since_ = std::chrono::steady_clock::now();
  }

  // Between two requests the client is owed no answer, so a connection ends here without one.
  asio::awaitable<bool> wait_for_request() {
    if (finishing_) co_return false;
    if (reader_.has_pending()) co_return true;
    reader_.trim();
    become_idle();
    deadline_.arm(shared_->options.idle_timeout);
    const auto [ec] = co_await socket_.async_wait(tcp::socket::wait_read, kResult);
    deadline_.disarm();
    idle_ = false;
    if (ec) quiet_ = true;
    co_return !quiet_;
  }

  // Whether the connection goes on.
  asio::awaitable<bool> serve_request() {
    auto head = co_await reader_.read_head();
    if (!head) {
      co_await tell_failure(std::move(head.error()), RequestHead{});
      co_return false;
    }
    auto match = shared_->gate.check(*head);
    if (!match) {
      const bool keep = co_await send(std::move(match.error()), *head, !head->has_body);
      co_return keep;
    }
    BufferShare share(shared_->set);
    auto body = co_await reader_.read_body(share);
    if (!body) {
      co_await tell_failure(std::move(body.error()), *head);
      co_return false;
    }
    Response response = co_await respond(std::move(*match), *head, std::move(*body));
    if (quiet_) co_return false;
    const bool keep = co_await send(std::move(response), *head, true);
    co_return keep;
  }

  // `head`: of the request, as far as it was read.
  asio::awaitable<void> tell_failure(ReadFailure failure, RequestHead head) {
    quiet_ = !failure.answer.has_value();
    if (failure.answer) co_await send(std::move(*failure.answer), std::move(head), false);
  }

  // `head` lives in the caller's frame.
  asio::awaitable<Response> respond(Match match, const RequestHead& head, std::string body) {
    try {
      Response response = co_await dispatch(std::move(match), head, std::move(body));
      co_return response;
    } catch (const std::exception& error) {
      base::log(base::Level::kError, "handler_failed", {{"path", std::string(head.path())}, {"what", error.what()}});
    }
    co_return error_response(Problem::kInternalError, "the daemon made a mistake; its log says more");
  }

  asio::awaitable<Response> dispatch(Match match, const RequestHead& head, std::string body) {
    Handlers& handlers = shared_->handlers;
    std::string key(trimmed(head.only("Idempotency-Key").value_or("")));
    Response response;
    switch (match.endpoint) {
      case Endpoint::kMetrics: response = show_metrics(); break;
      case Endpoint::kExecute: response = co_await execute(std::move(body), std::move(key)); break;
      case Endpoint::kListRuns: response = co_await handlers.list_runs(std::string(head.query())); break;
      case Endpoint::kReadRun: response = co_await handlers.read_run(std::move(match.parameter)); break;
      case Endpoint::kCancelRun: response = co_await handlers.cancel_run(std::move(match.parameter)); break;
      case Endpoint::kSubmitJob: response = co_await handlers.submit_job(std::move(body), std::move(key)); break;
      case Endpoint::kReadJob: response = co_await handlers.read_job(std::move(match.parameter)); break;
      default: response = handlers.answer(match.endpoint, body);
    }
    co_return response;
  }

  Response show_metrics() {
    shared_->http.connections = shared_->set.size();
    return shared_->handlers.show_metrics(shared_->http);
  }

  asio::awaitable<Response> execute(std::string body, std::string key) {
    run::Cancellation cancellation;
    const bool may_come_back = !key.empty();
    const PeerWatch watch(socket_, [this, &cancellation, may_come_back] {
      quiet_ = true;
      if (!may_come_back) cancellation.cancel(run::CancelReason::kClientLeft);
    });
    Response response = co_await shared_->handlers.execute(std::move(body), std::move(key), cancellation);
    co_return response;
  }

  // Whether the connection goes on.
  asio::awaitable<bool> send(Response response, RequestHead head, bool may_keep) {
    const bool keep = may_keep && head.keep_alive && !finishing_;
    ++shared_->http.answers[{std::string(pattern_of(head.path())), response.status}];
    const std::string first = head_to_wire(response, head, keep);
    const std::string_view second = head.method == "HEAD" ? std::string_view() : std::string_view(response.body);
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(first), asio::buffer(second)};
    deadline_.arm(shared_->options.write_timeout);
    const auto [ec, size] = co_await asio::async_write(socket_, buffers, kResult);
    deadline_.disarm();
    if (ec) quiet_ = true;
    co_return keep && !ec;
  }

  // A socket closed on unread data resets the connection, and the reset can overtake our last answer: so it is closed
  // for sending only, until the client has closed too or has had time enough.
  asio::awaitable<void> linger() {
    if (quiet_) co_return;
    error_code ec;
    socket_.shutdown(tcp::socket::shutdown_send, ec);
    become_idle();
    deadline_.arm(shared_->options.linger_timeout);
    std::array<char, 4096> discarded{};
    while (!ec) {
      const auto [error, size] = co_await socket_.async_read_some(asio::buffer(discarded), kResult);
      ec = error;
    }
    deadline_.disarm();
  }

  std::shared_ptr<Shared> shared_;
  tcp::socket socket_;
  SocketDeadline deadline_;
  RequestReader reader_;
  std::chrono::steady_clock::time_point idle_since_;
  bool idle_ = false;
  bool finishing_ = false;
  bool quiet_ = false;  // there is nobody left to tell anything
};

}  // namespace

asio::awaitable<void> serve_connection(tcp::socket socket, std::shared_ptr<Shared> shared) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  Connection connection(std::move(socket), std::move(shared));
  co_await connection.run();
}

asio::awaitable<void> refuse_connection(tcp::socket socket, std::shared_ptr<Shared> shared) {
  Connection connection(std::move(socket), std::move(shared));
  co_await connection.refuse();
}

}  // namespace outrigger::api
