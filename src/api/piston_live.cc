#include "api/piston_live.h"

#include <utility>
#include <variant>

#include "piston/request.h"
#include "run/signal_names.h"
#include "wire/error_json.h"
#include "wire/outcome_streams.h"

namespace outrigger::api {
namespace {

constexpr std::chrono::milliseconds kStartWithin{1000};  // Piston's

}  // namespace

PistonLive::PistonLive(const boost::asio::any_io_executor& executor, Handlers& handlers, httpd::WebSocket& socket,
                       LiveClient client, std::span<const model::InstalledRuntime> runtimes)
    : LiveJob(executor, handlers, socket, std::move(client), kStartWithin), runtimes_(runtimes) {}

// Piston reads binary messages as text.
void PistonLive::hear(httpd::WebSocket::Message message) {
  const auto said = piston::parse_client_message(message.data);
  if (!said) return fail(said.error());
  if (std::holds_alternative<piston::Other>(*said)) {
    if (const auto too_many = count_control()) fail(too_many->message);
    return;
  }
  const bool is_init = std::holds_alternative<piston::Init>(*said);
  if (is_init && has_started()) return close(piston::kAlreadyInitialized);
  if (!is_init && !has_started()) return close(piston::kNotYetInitialized);
  if (is_init) return init(message.data);
  if (const auto* data = std::get_if<piston::Data>(&*said)) return take(*data);
  take(std::get<piston::Signal>(*said));
}

void PistonLive::hear_nothing() { close(piston::kInitializationTimeout); }

void PistonLive::init(const std::string& request) {
  const std::string tenant = tenants::account_of(caller());
  auto parsed = piston::parse_request(request, tenant, runtimes_, handlers().rules().of(tenant));
  if (!parsed) return fail(parsed.error().message);
  if (!piston::has_stdin(request)) parsed->job.stdin_data.clear();
  note_caller(parsed->job, caller());
  compiles_ = !parsed->runtime.installed->runtime.compile.command.empty();
  say(piston::runtime_message(parsed->runtime));
  start(std::move(parsed->job));
}

void PistonLive::take(const piston::Data& data) {
  if (data.stream != "stdin") return close(piston::kOnlyStdin);
  if (const auto too_much = feed(data.data)) fail(too_much->message);
}

void PistonLive::take(const piston::Signal& signal) {
  if (const auto too_many = count_control()) return fail(too_many->message);
  const auto number = run::sendable_signal(signal.name);
  if (!number) return close(piston::kInvalidSignal);
  input().signal(*number);
}

// Of a program that had been compiled before, that it is compiled is heard before that it has started.
void PistonLive::started(const std::string& /*job_id*/) {
  begun_ = true;
  if (compiles_ && !compiled_) return tell_compiling();
  say(piston::stage_message("run"));
}

void PistonLive::compiled(const model::CompileReport& report) {
  tell_compiled(report);
  if (begun_) say(piston::stage_message("run"));
}

void PistonLive::tell_compiling() {
  if (!std::exchange(compiling_, true)) say(piston::stage_message("compile"));
}

void PistonLive::tell_compiled(const model::CompileReport& report) {
  if (std::exchange(compiled_, true)) return;
  tell_compiling();
  const std::string_view out = wire::told(report.stdout_stream);
  const std::string_view err = wire::told(report.stderr_stream);
  if (!out.empty()) say(piston::data_message("stdout", out));
  if (!err.empty()) say(piston::data_message("stderr", err));
  say(piston::exit_message("compile", report));
}

std::string PistonLive::output_message(run::Stream stream, const std::string& data) const {
  return piston::data_message(name_of(stream), data);
}

void PistonLive::finished(const model::Outcome& outcome) {
  if (outcome.status == model::Status::kInternalError) return fail(outcome.cause.text);
  if (outcome.compile) tell_compiled(*outcome.compile);
  if (!model::did_not_compile(outcome)) say(piston::exit_message("run", outcome));
  close(piston::kJobCompleted);
}

void PistonLive::refused(const Response& refusal) {
  const auto error = wire::parse_error(refusal.body);
  fail(error ? error->message : "the job could not be run");
}

void PistonLive::fail(std::string_view message) {
  say(piston::error_message(message));
  close(piston::kNotifiedError);
}

}  // namespace outrigger::api
