#include "outriggerd/daemon.h"

#include <signal.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

#include "base/log.h"
#include "run/readable.h"

namespace outrigger::outriggerd {
namespace {

namespace asio = boost::asio;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
// For the last answers to be taken by clients that are slow to read.
constexpr std::chrono::seconds kDrain{5};

// For a queue that is away: what is not settled by then is settled at the next start.
constexpr std::chrono::seconds kSettle{3};
// For rows to reach the database: what has not by then is written at the next start.
constexpr std::chrono::seconds kWriteRows{5};

// Nothing that throws here can be gone on from: run() lets it out, and the process ends.
void rethrow(const std::exception_ptr& failure) {
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

Daemon::Daemon(asio::io_context& context, Parts parts, asio::ip::tcp::acceptor listener, api::Options options,
               base::UniqueFd keeper_pidfd, std::chrono::milliseconds grace)
    : context_(context),
      tenancy_(std::move(parts.tenancy)),
      stores_(std::move(parts.stores)),
      pool_(std::move(parts.pool)),
      server_(context, std::move(listener), services(), std::move(options)),
      signals_(context, SIGTERM, SIGINT),
      keeper_(context, keeper_pidfd.release()),
      grace_(grace) {}

api::Services Daemon::services() {
  api::Services services = stores_->services(*pool_);
  services.guard = &tenancy_->guard();
  services.tokens = &tenancy_->tokens();
  return services;
}

int Daemon::run() {
  asio::co_spawn(context_, watch_signals(), rethrow);
  asio::co_spawn(context_, watch_keeper(), rethrow);
  server_.start();
  context_.run();
  stores_->close(kWriteRows);
  return exit_status_;
}

asio::awaitable<void> Daemon::watch_signals() {
  const auto [ec, signal] = co_await signals_.async_wait(kResult);
  if (ec) co_return;
  base::log(base::Level::kInfo, "shutting_down", {{"signal", ::sigabbrev_np(signal)}});
  asio::co_spawn(context_, shut_down(grace_, 0), rethrow);
  const auto [again_ec, again] = co_await signals_.async_wait(kResult);
  if (again_ec) co_return;
  base::log(base::Level::kWarn, "ended_at_once", {{"signal", ::sigabbrev_np(again)}});
  ::_exit(1);  // the jailer sees its socket close, and ends all jails
}

asio::awaitable<void> Daemon::watch_keeper() {
  if (!co_await run::wait_readable(keeper_) || ending_) co_return;
  base::log(base::Level::kError, "keeper_died",
            {{"consequence", "a jailer could not be replaced any more; the daemon ends, start it again"}});
  co_await shut_down(grace_, 1);
}

asio::awaitable<void> Daemon::shut_down(std::chrono::milliseconds grace, int exit_status) {
  if (ending_) co_return;
  ending_ = true;
  exit_status_ = exit_status;
  server_.stop();
  stores_->stop_taking();
  co_await pool_->shut_down(grace);
  co_await stores_->drain(kSettle);
  co_await tenancy_->stop();
  co_await server_.drained(kDrain);
  base::log(base::Level::kInfo, "ended", {{"exit_status", std::to_string(exit_status_)}});
  context_.stop();
}

}  // namespace outrigger::outriggerd
