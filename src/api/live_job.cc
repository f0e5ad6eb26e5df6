#include "api/live_job.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "api/error_response.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
// RFC 6455, 7.4.1, and the registry that it founds.
constexpr std::uint16_t kNormalClosure = 1000;
constexpr std::uint16_t kTryAgainLater = 1013;

}  // namespace

LiveJob::LiveJob(const asio::any_io_executor& executor, Handlers& handlers, httpd::WebSocket& socket, LiveClient client,
                 std::chrono::milliseconds start_within)
    : handlers_(handlers),
      socket_(socket),
      client_(std::move(client)),
      start_within_(start_within),
      wake_(executor),
      start_timer_(executor),
      tasks_(executor),
      input_(executor) {}

asio::awaitable<void> LiveJob::run() {
  tasks_.spawn(listen());
  tasks_.spawn(await_start());
  while (auto message = co_await next()) {
    if (!co_await socket_.send(std::move(*message))) end(kNormalClosure, "");
  }
  start_timer_.cancel();
  co_await socket_.close(close_code_, close_reason_);
  co_await tasks_.join();
}

asio::awaitable<void> LiveJob::listen() {
  while (!ended_) {
    auto message = co_await socket_.receive(has_started() ? kLongestMessage : client_.longest_start);
    if (!message) break;
    if (!ended_) hear(std::move(*message));
  }
  if (socket_.out_of_room()) end(kTryAgainLater, "too many large requests at a time; try again later");
  end(kNormalClosure, "");  // the client has left, unless this was ended here
}

asio::awaitable<void> LiveJob::await_start() {
  start_timer_.expires_after(start_within_);
  const auto [ended_early] = co_await start_timer_.async_wait(kTuple);
  if (!ended_early && !has_started() && !ended_) hear_nothing();
}

void LiveJob::start(model::Job job) {
  output_.emplace(job.output_encoding);
  guard_.count(job.stdin_data.size());
  start_timer_.cancel();
  tasks_.spawn(work(std::move(job)));
}

asio::awaitable<void> LiveJob::work(model::Job job) {
  Response refusal;
  try {
    const run::Attendance attendance(cancellation_, this, &input_);
    auto outcome = co_await handlers_.run(std::move(job), attendance);
    if (outcome) {
      if (output_) output_->end(*outcome);
      co_return finished(*outcome);
    }
    refusal = std::move(outcome.error());
  } catch (const std::exception& error) {
    refusal = mistake("live_job_failed", error);
  }
  refused(refusal);
}

void LiveJob::wrote(run::Stream stream, std::string_view bytes) {
  if (ended_ || !output_) return;
  output_->wrote(stream, bytes);
  wake_.cancel();
}

std::optional<wire::RequestError> LiveJob::feed(std::string_view bytes) {
  auto refused = bytes.empty() ? count_control() : guard_.feed(bytes.size(), input_.pending());
  if (!refused) input_.push(bytes);
  return refused;
}

void LiveJob::say(std::string message) {
  if (ended_) return;
  settle_output();
  messages_.push_back(std::move(message));
  wake_.cancel();
}

void LiveJob::end(std::uint16_t code, std::string reason) {
  if (ended_) return;
  settle_output();
  ended_ = true;
  close_code_ = code;
  close_reason_ = std::move(reason);
  cancellation_.cancel(run::CancelReason::kClientLeft);
  wake_.cancel();
}

void LiveJob::settle_output() {
  if (!output_) return;
  output_->settle(
      [this](run::Stream stream, const std::string& data) { messages_.push_back(output_message(stream, data)); });
}

asio::awaitable<std::optional<std::string>> LiveJob::next() {
  while (messages_.empty() && !ended_ && (!output_ || output_->empty())) {
    wake_.expires_at(asio::steady_timer::time_point::max());
    co_await wake_.async_wait(kTuple);
  }
  if (messages_.empty()) settle_output();
  std::optional<std::string> message;
  if (!messages_.empty()) {
    message = std::move(messages_.front());
    messages_.pop_front();
  }
  co_return message;
}

}  // namespace outrigger::api
