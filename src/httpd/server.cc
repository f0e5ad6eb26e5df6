#include "httpd/server.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "base/log.h"
#include "httpd/connection.h"

namespace outrigger::httpd {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kMaxRefusing = 64;  // connections that are being told 503, beyond which they are just closed
constexpr std::chrono::milliseconds kAcceptPause{20};
constexpr std::chrono::milliseconds kCutOff{1000};

void report(const std::exception_ptr& failure) {
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    base::log(base::Level::kError, "connection_failed", {{"what", error.what()}});
  }
}

}  // namespace

base::Result<tcp::acceptor> open_listener(asio::io_context& context, const std::string& host, std::uint16_t port) {
  const std::string where = host + ":" + std::to_string(port);
  error_code ec;
  const asio::ip::address address = asio::ip::make_address(host, ec);
  if (ec) return base::failure(base::Code::kInvalid, "listen", where);
  const tcp::endpoint endpoint(address, port);
  tcp::acceptor acceptor(context);
  acceptor.open(endpoint.protocol(), ec);
  // Else a restart would have to wait for connections of the last run to time out.
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) return base::system_error("listen", where, ec.value());
  return acceptor;
}

// Takes connections in; shared with its coroutine, which may outlive the server object.
class Server::Acceptor {
 public:
  Acceptor(tcp::acceptor listener, std::shared_ptr<Shared> shared)
      : listener_(std::move(listener)), pause_(listener_.get_executor()), shared_(std::move(shared)) {}

  static asio::awaitable<void> run(std::shared_ptr<Acceptor> self) {
    while (self->listener_.is_open()) {
      auto [ec, socket] = co_await self->listener_.async_accept(kResult);
      if (!ec) {
        self->take(std::move(socket));
      } else if (self->listener_.is_open()) {
        co_await self->recover(ec);
      }
    }
  }

  void stop() {
    error_code ignored;
    listener_.close(ignored);
    pause_.cancel();
  }

 private:
  void take(tcp::socket socket) {
    const auto executor = listener_.get_executor();
    ConnectionSet& set = shared_->set;
    if (set.size() < shared_->options.max_connections || set.evict_idle()) {
      asio::co_spawn(executor, serve_connection(std::move(socket), shared_), report);
    } else if (set.size() < shared_->options.max_connections + kMaxRefusing) {
      asio::co_spawn(executor, refuse_connection(std::move(socket), shared_), report);
    }
  }

  // Out of descriptors or memory for the moment: an idle connection gives way, and the next try waits a little, lest
  // the loop spin.
  asio::awaitable<void> recover(error_code ec) {
    if (ec == asio::error::connection_aborted) co_return;
    const bool evicted = shared_->set.evict_idle();
    base::log(base::Level::kWarn, "accept_failed", {{"error", ec.message()}, {"evicted", evicted ? "1" : "0"}});
    pause_.expires_after(kAcceptPause);
    co_await pause_.async_wait(kResult);
  }

  tcp::acceptor listener_;
  asio::steady_timer pause_;
  std::shared_ptr<Shared> shared_;
};

Server::Server(asio::io_context& context, tcp::acceptor listener, std::shared_ptr<Application> application,
               Options options)
    : shared_(std::make_shared<Shared>(context.get_executor(), std::move(application), options)),
      acceptor_(std::make_shared<Acceptor>(std::move(listener), shared_)) {}

Server::~Server() { stop(); }

void Server::start() { asio::co_spawn(shared_->set.executor(), Acceptor::run(acceptor_), report); }

void Server::stop() {
  acceptor_->stop();
  shared_->set.finish_all();
}

std::size_t Server::connections() const { return shared_->set.size(); }

asio::awaitable<void> Server::drained(std::chrono::milliseconds limit) {
  const std::shared_ptr<Shared> shared = shared_;
  co_await shared->set.wait_empty(limit);
  shared->set.abort_all();
  co_await shared->set.wait_empty(kCutOff);
}

}  // namespace outrigger::httpd
