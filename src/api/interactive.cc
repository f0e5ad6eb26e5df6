#include "api/interactive.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "api/error_response.h"
#include "run/signal_names.h"
#include "wire/error_json.h"
#include "wire/outcome_json.h"

namespace outrigger::api {
namespace {

constexpr std::chrono::milliseconds kStartWithin{10'000};

// RFC 6455, 7.4.1, and the registry that it founds.
constexpr std::uint16_t kNormal = 1000;
constexpr std::uint16_t kPolicy = 1008;
constexpr std::uint16_t kOurFault = 1011;
constexpr std::uint16_t kTryAgainLater = 1013;

std::uint16_t close_code_of(int status) {
  if (status == 503 || status == 429) return kTryAgainLater;
  return status >= 500 ? kOurFault : kPolicy;
}

// Programs ask their environment what their terminal can do.
void name_terminal(model::Job& job) {
  const bool named = std::ranges::any_of(job.env, [](const auto& variable) { return variable.first == "TERM"; });
  if (!named) job.env.emplace_back("TERM", "xterm");
}

}  // namespace

Interactive::Interactive(const boost::asio::any_io_executor& executor, Handlers& handlers, httpd::WebSocket& socket,
                         LiveClient client)
    : LiveJob(executor, handlers, socket, std::move(client), kStartWithin) {}

void Interactive::hear(httpd::WebSocket::Message message) {
  if (!message.text && has_started()) return take(wire::LiveStdin{std::move(message.data)});
  if (!message.text) return fault("type", "the first message must be a start, as text");
  const auto said = wire::parse_live_message(message.data);
  message = {};  // a start may be long, and is held once
  if (!said) return fault(said.error());
  if (std::holds_alternative<wire::LiveStart>(*said) == has_started()) {
    return fault("type", has_started() ? "a program has been started already; open another connection for another"
                                       : "the first message must be a start");
  }
  std::visit([this](const auto& each) { take(each); }, *said);
}

void Interactive::hear_nothing() {
  const std::string told = "no start came within " + std::to_string(kStartWithin.count()) + " ms";
  say(wire::live_error(error_response(Problem::kRequestTimeout, told).body));
  end(kPolicy, told);
}

void Interactive::take(const wire::LiveStart& start) {
  auto job = handlers().accept_job(start.request, caller());
  if (!job) return refused(job.error());
  job->terminal = start.terminal;
  has_terminal_ = start.terminal.has_value();
  if (has_terminal_) name_terminal(*job);
  encoding_ = job->output_encoding;
  LiveJob::start(std::move(*job));
}

void Interactive::take(const wire::LiveStdin& bytes) {
  if (const auto too_much = feed(bytes.bytes)) fault(*too_much);
}

void Interactive::take(const wire::LiveStdinEnd& /*end*/) {
  if (const auto too_many = count_control()) return fault(*too_many);
  input().close();
}

void Interactive::take(const wire::LiveSignal& signal) {
  if (const auto too_many = count_control()) return fault(*too_many);
  const auto number = run::sendable_signal(signal.name);
  if (!number) return fault("signal", "must be one of " + run::sendable_signals());
  input().signal(*number);
}

void Interactive::take(const wire::LiveResize& resize) {
  if (const auto too_many = count_control()) return fault(*too_many);
  if (!has_terminal_) return fault("type", "resize is for a program that was started with pty");
  input().resize(resize.size);
}

void Interactive::fault(const wire::RequestError& error) {
  say(wire::live_error(error_response(error).body));
  end(kPolicy, error.message);
}

void Interactive::fault(const std::string& field, std::string message) {
  fault({base::Code::kInvalid, field, std::move(message)});
}

void Interactive::started(const std::string& job_id) { say(wire::live_started(job_id)); }

std::string Interactive::output_message(run::Stream stream, const std::string& data) const {
  return wire::live_output(name_of(stream), data);
}

void Interactive::finished(const model::Outcome& outcome) {
  say(wire::live_finished(wire::streamed_outcome_to_json(outcome, encoding_)));
  end(kNormal, "");
}

void Interactive::refused(const Response& refusal) {
  say(wire::live_error(refusal.body));
  const auto error = wire::parse_error(refusal.body);
  end(close_code_of(refusal.status), error ? error->message : "");
}

}  // namespace outrigger::api
