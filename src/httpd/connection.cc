#include "httpd/connection.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "base/log.h"
#include "httpd/request_reader.h"
#include "httpd/socket_deadline.h"
#include "httpd/socket_exchange.h"

namespace outrigger::httpd {
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
    ReadFailure busy{Fault::kBusy, "too many connections; try again later"};
    co_await tell(RequestHead{}, std::move(busy));
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
    Application& application = *shared_->application;
    if (!head) {
      co_await tell(RequestHead{}, std::move(head.error()));
      co_return false;
    }
    auto admission = application.admit(*head);
    const bool has_body = head->has_body;
    SocketExchange exchange(socket_, deadline_, *shared_, std::move(*head), finishing_);
    if (!admission) {
      if (has_body) exchange.end_after_answer();
      co_await exchange.answer(std::move(admission.error()));
      co_return goes_on(exchange);
    }
    BufferShare share(shared_->set);
    auto body = co_await reader_.read_body(share, admission->max_body);
    if (!body) {
      co_await tell(exchange.head(), std::move(body.error()));
      co_return false;
    }
    exchange.set_body(std::move(*body));
    if (reader_.has_pending()) exchange.note_more();
    co_await serve(exchange, std::move(admission->serve));
    co_return goes_on(exchange);
  }

  bool goes_on(const SocketExchange& exchange) {
    quiet_ |= exchange.gone();
    return exchange.keeps();
  }

  // `exchange` lives in the caller's frame.
  asio::awaitable<void> serve(SocketExchange& exchange, std::function<asio::awaitable<void>(Exchange&)> serve_it) {
    try {
      co_await serve_it(exchange);
    } catch (const std::exception& error) {
      const std::string path(exchange.head().path());
      base::log(base::Level::kError, "handler_failed", {{"path", path}, {"what", error.what()}});
    }
    if (!exchange.untouched()) co_return;
    Response response = shared_->application->refuse(exchange.head(), Fault::kHandlerFailed,
                                                     "the daemon made a mistake; its log says more");
    co_await exchange.answer(std::move(response));
  }

  // `head`: of the request, as far as it was read.
  asio::awaitable<void> tell(RequestHead head, ReadFailure failure) {
    quiet_ = !failure.fault.has_value();
    if (quiet_) co_return;
    Response response = shared_->application->refuse(head, *failure.fault, failure.message);
    SocketExchange exchange(socket_, deadline_, *shared_, std::move(head), finishing_);
    exchange.end_after_answer();
    co_await exchange.answer(std::move(response));
    quiet_ |= exchange.gone();
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

}  // namespace outrigger::httpd
