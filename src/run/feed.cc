#include "run/feed.h"

#include <sys/ioctl.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "run/readable.h"
#include "sys/message_socket.h"

namespace outrigger::run {
namespace asio = boost::asio;
namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

bool send_order(asio::posix::stream_descriptor& control, const jail::Order& order) {
  return sys::send_message(control.native_handle(), std::as_bytes(std::span(&order, 1))).has_value();
}

Feed::Feed(const asio::any_io_executor& executor, Channels channels, const model::Job& job,
           const model::Runtime& runtime, LiveInput* input, std::function<void()> handed_over)
    : job_(job),
      payload_(job, runtime),
      input_(input),
      control_(channels.control),
      launch_(executor, channels.launch.release()),
      stdin_(executor, channels.stdin_end.release()),
      handed_over_(std::move(handed_over)) {}

void Feed::begin(TaskGroup& tasks) {
  tasks.spawn(feed_launch());
  tasks.spawn(feed_stdin());
  if (input_ != nullptr) input_->attach(this);
}

void Feed::take_terminal(base::UniqueFd master, model::TerminalSize size) {
  close(stdin_);
  stdin_.assign(master.release());
  resize(size);
}

void Feed::stop() {
  close(launch_);
  close(stdin_);
  if (input_ == nullptr) return;
  input_->attach(nullptr);
  input_->stop();
}

asio::awaitable<void> Feed::feed_launch() {
  co_await asio::async_write(launch_, payload_.buffers(), kTuple);
  close(launch_);
  handed_over_();
}

asio::awaitable<void> Feed::feed_stdin() {
  // A guest that closes its stdin or never reads it is within its rights: EPIPE and the cancellation at the end are no
  // errors.
  co_await asio::async_write(stdin_, asio::buffer(job_.stdin_data), kTuple);
  if (input_ != nullptr) co_await feed_live();
  if (!job_.terminal) close(stdin_);
}

asio::awaitable<void> Feed::feed_live() {
  char last = job_.stdin_data.empty() ? '\n' : job_.stdin_data.back();
  boost::system::error_code ec;
  while (!ec) {
    const auto bytes = co_await input_->next();
    if (!bytes) break;
    last = bytes->back();
    const auto [error, size] = co_await asio::async_write(stdin_, asio::buffer(*bytes), kTuple);
    ec = error;
  }
  input_->stop();
  if (!ec && job_.terminal) co_await end_terminal_input(last);
}

// A terminal has no end but the one that is typed (termios(3), VEOF): alone in its line.
asio::awaitable<void> Feed::end_terminal_input(char last) {
  const std::string_view typed = last == '\n' ? "\4" : "\4\4";
  co_await asio::async_write(stdin_, asio::buffer(typed), kTuple);
}

// Where the control socket is full, a guest that takes no signals gets one less.
void Feed::signal(int number) {
  jail::Order order;
  order.kind = jail::OrderKind::kSignal;
  order.signal = number;
  order.group = job_.terminal ? 1 : 0;
  (void)send_order(control_, order);
}

void Feed::resize(model::TerminalSize size) {
  if (!job_.terminal) return;
  const winsize wanted{size.rows, size.columns, 0, 0};
  ::ioctl(stdin_.native_handle(), TIOCSWINSZ, &wanted);
}

}  // namespace outrigger::run
