#include "run/live_input.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace outrigger::run {
namespace asio = boost::asio;

LiveInput::LiveInput(const asio::any_io_executor& executor) : wake_(executor) {}

void LiveInput::push(std::string_view bytes) {
  if (closed_ || stopped_) return;
  pending_ += bytes;
  wake_.cancel();
}

void LiveInput::close() {
  closed_ = true;
  wake_.cancel();
}

void LiveInput::stop() {
  stopped_ = true;
  pending_.clear();
  wake_.cancel();
}

asio::awaitable<std::optional<std::string>> LiveInput::next() {
  while (pending_.empty() && !closed_ && !stopped_) {
    wake_.expires_at(asio::steady_timer::time_point::max());
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  std::optional<std::string> bytes;
  if (!pending_.empty()) bytes = std::exchange(pending_, {});
  co_return bytes;
}

}  // namespace outrigger::run
