// The client through the lives of its jailers: one dies, the keeper brings another, the daemon ends.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "jailer/client.h"
#include "jailer/pending_call.h"
#include "sys/process.h"

namespace outrigger::jailer {
namespace asio = boost::asio;
namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

// Names no path: the error's context is for the log.
std::string trouble_of(const Announced& announced) {
  std::string text = "the jailer has died and none could be started since (last step: " + announced.error.step + ")";
  if (announced.failed_in_a_row > 1) text += ", " + std::to_string(announced.failed_in_a_row) + " times in a row";
  return text + "; next try in " + std::to_string(announced.pause.count()) + " ms";
}

// Readiness alone may be a stale event of a descriptor closed before.
asio::awaitable<void> await_end(asio::any_io_executor executor, base::UniqueFd process) {
  if (!process) co_return;
  asio::posix::stream_descriptor pidfd(executor, process.release());
  do {
    const auto [error] = co_await pidfd.async_wait(asio::posix::descriptor_base::wait_read, kTuple);
    if (error) co_return;
  } while (!sys::has_events(pidfd.native_handle()));
  (void)sys::reap(pidfd.native_handle());  // refused for what is no child of this process
}

}  // namespace

void Client::hear_of_death() {
  if (!alive_) return;
  alive_ = false;
  trouble_ = "the jailer has died; another is being started";
  base::log(base::Level::kError, "jailer_died", {{"consequence", "all jails ended with it; another is started"}});
}

void Client::lose_jailer() {
  alive_ = false;
  boost::system::error_code ignored;
  socket_.close(ignored);
  for (auto& [sequence, pending] : pending_) {
    pending->lost = true;
    pending->arrived.cancel();
  }
  if (on_change_) on_change_();
}

void Client::take(Serving jailer) {
  base::log(base::Level::kInfo, "jailer_started", {{"pid", std::to_string(jailer.pid)}});
  started_.jailer = std::move(jailer);
  socket_.assign(started_.jailer.socket.release());
  socket_.non_blocking(true);
  alive_ = true;
  trouble_.clear();
  if (on_change_) on_change_();
}

// True when the keeper has brought one; false when there will be none.
asio::awaitable<bool> Client::await_jailer() {
  for (;;) {
    const auto [error] = co_await keeper_.async_wait(asio::posix::descriptor_base::wait_read, kTuple);
    if (error) co_return false;
    auto announced = receive_announcement(keeper_.native_handle());
    if (!announced && announced.error().errno_value == EAGAIN) continue;
    if (!announced) {
      trouble_ = "the jailer and its keeper have died; the daemon ends";
      co_return false;
    }
    if (announced->serving) {
      take(std::move(*announced->serving));
      co_return true;
    }
    trouble_ = trouble_of(*announced);
    base::log(base::Level::kError, "jailer_not_started",
              {{"error", announced->error.text()},
               {"in_a_row", std::to_string(announced->failed_in_a_row)},
               {"next_try_in_ms", std::to_string(announced->pause.count())}});
  }
}

asio::awaitable<void> Client::run() {
  while (!closing_) {
    while (alive_) {
      const auto [error] = co_await socket_.async_wait(asio::posix::descriptor_base::wait_read, kTuple);
      if (error) break;
      read_replies();
    }
    if (closing_) break;
    hear_of_death();
    lose_jailer();
    const bool another = co_await await_jailer();
    if (!another) break;
  }
}

asio::awaitable<void> Client::close() {
  closing_ = true;
  boost::system::error_code ignored;
  keeper_.close(ignored);  // first: it must not replace the jailer that ends now
  lose_jailer();
  co_await await_end(executor_, std::move(started_.keeper_pidfd));
  co_await await_end(executor_, std::move(started_.jailer.pidfd));
}

}  // namespace outrigger::jailer
