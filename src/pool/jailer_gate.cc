#include "pool/jailer_gate.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace outrigger::pool {
namespace asio = boost::asio;

asio::awaitable<base::Status> JailerGate::pass(run::Cancellation& cancellation) {
  asio::steady_timer patience(executor_, patience_);
  waiting_.push_back(&patience);
  cancellation.on_cancel([&patience] { patience.cancel(); });
  bool waited_enough = false;
  while (!jailer_.alive() && !closed_ && !cancellation.cancelled() && !waited_enough) {
    const auto [error] = co_await patience.async_wait(asio::as_tuple(asio::use_awaitable));
    waited_enough = !error;
  }
  cancellation.on_cancel({});
  waiting_.remove(&patience);
  if (cancellation.cancelled()) co_return base::failure(base::Code::kCancelled, "await_jailer", "cancelled");
  if (closed_) co_return base::failure(base::Code::kPaused, "await_jailer", "the daemon is stopping");
  if (jailer_.alive()) co_return base::Status{};
  co_return base::failure(base::Code::kSystem, jailer::kJailerDied, jailer_.trouble());
}

void JailerGate::look_again() {
  for (asio::steady_timer* patience : waiting_) patience->cancel();
}

void JailerGate::close() {
  closed_ = true;
  look_again();
}

}  // namespace outrigger::pool
