#include "run/live_input.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace outrigger::run {
namespace asio = boost::asio;
namespace {

constexpr std::size_t kEarlySignals = 16;

}  // namespace

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
  taken_ = 0;
  wake_.cancel();
}

void LiveInput::signal(int number) {
  if (fed_ != nullptr) return fed_->signal(number);
  if (!stopped_ && early_signals_.size() < kEarlySignals) early_signals_.push_back(number);
}

void LiveInput::resize(model::TerminalSize size) {
  if (fed_ != nullptr) return fed_->resize(size);
  early_size_ = size;
}

void LiveInput::attach(Fed* fed) {
  fed_ = fed;
  if (fed_ == nullptr) return;
  if (early_size_) fed_->resize(*early_size_);
  for (const int number : std::exchange(early_signals_, {})) fed_->signal(number);
}

asio::awaitable<std::optional<std::string>> LiveInput::next() {
  taken_ = 0;
  while (pending_.empty() && !closed_ && !stopped_) {
    wake_.expires_at(asio::steady_timer::time_point::max());
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  std::optional<std::string> bytes;
  if (!pending_.empty()) {
    bytes = std::exchange(pending_, {});
    taken_ = bytes->size();
  }
  co_return bytes;
}

}  // namespace outrigger::run
