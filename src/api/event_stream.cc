#include "api/event_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "wire/json_writer.h"
#include "wire/outcome_json.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

constexpr std::string_view kComment = ": nothing new\n\n";

}  // namespace

EventStream::EventStream(const asio::any_io_executor& executor, model::OutputEncoding encoding)
    : wake_(executor), encoding_(encoding), output_(encoding) {}

// JSON text has no line break outside its strings, and none inside: a data field is one line.
void EventStream::add(std::string_view event, std::string_view data) {
  ready_ += "event: ";
  ready_ += event;
  ready_ += "\ndata: ";
  ready_ += data;
  ready_ += "\n\n";
  wake_.cancel();
}

// What a slow reader has not taken becomes one event a stream: a program that writes byte by byte fills no memory with
// events.
void EventStream::settle_output() {
  output_.settle([this](run::Stream stream, const std::string& told) {
    wire::JsonWriter writer;
    writer.begin_object().key("data").text(told).end_object();
    add(name_of(stream), writer.take());
  });
}

void EventStream::started(const std::string& job_id) {
  started_ = true;
  wire::JsonWriter writer;
  writer.begin_object().key("job_id").text(job_id).end_object();
  add("started", writer.take());
}

void EventStream::wrote(run::Stream stream, std::string_view bytes) {
  output_.wrote(stream, bytes);
  wake_.cancel();
}

void EventStream::finished(const model::Outcome& outcome) {
  if (!started_) started(outcome.job_id);  // its jail could not be made: the outcome says so
  output_.end(outcome);
  settle_output();
  add("finished", wire::streamed_outcome_to_json(outcome, encoding_));
  close();
}

void EventStream::failed(std::string_view error) {
  settle_output();
  add("error", error);
  close();
}

void EventStream::close() {
  closed_ = true;
  wake_.cancel();
}

asio::awaitable<std::optional<std::string>> EventStream::next(std::chrono::milliseconds silence) {
  if (ready_.empty() && output_.empty() && !closed_) {
    wake_.expires_after(silence);
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  settle_output();
  std::optional<std::string> events;
  if (!ready_.empty()) {
    events = std::exchange(ready_, {});
  } else if (!closed_) {
    events = std::string(kComment);
  }
  co_return events;
}

}  // namespace outrigger::api
