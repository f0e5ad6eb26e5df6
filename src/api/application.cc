#include "api/application.h"

#include <boost/asio/this_coro.hpp>

#include "api/error_response.h"
#include "api/interactive.h"
#include "api/piston_live.h"
#include "httpd/handshake.h"
#include "httpd/header_values.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

Problem problem_of(httpd::Fault fault) {
  switch (fault) {
    case httpd::Fault::kBadRequest: return Problem::kInvalidRequest;
    case httpd::Fault::kTimeout: return Problem::kRequestTimeout;
    case httpd::Fault::kHeadTooLarge: return Problem::kHeadTooLarge;
    case httpd::Fault::kBodyTooLarge: return Problem::kPayloadTooLarge;
    case httpd::Fault::kBusy: return Problem::kServerBusy;
    case httpd::Fault::kHandlerFailed: break;
  }
  return Problem::kInternalError;
}

// A WebSocket or nothing (RFC 9110, 15.5.22, and RFC 6455, 4.4).
std::optional<Response> refuse_handshake(const RequestHead& head) {
  const httpd::Handshake handshake = httpd::handshake_of(head);
  if (handshake == httpd::Handshake::kGood) return std::nullopt;
  if (handshake == httpd::Handshake::kBroken) {
    return error_response(Problem::kInvalidRequest,
                          "the WebSocket's handshake is not that of RFC 6455: a GET of HTTP/1.1 without a body, with "
                          "Sec-WebSocket-Key and Sec-WebSocket-Version");
  }
  Response response = error_response(Problem::kUpgradeRequired,
                                     "this route is a WebSocket, version 13: ask for it with Upgrade: websocket");
  response.headers.emplace_back("Upgrade", "websocket");
  response.headers.emplace_back("Sec-WebSocket-Version", "13");
  return response;
}

}  // namespace

Application::Application(const Services& services, Options options)
    : services_(services),
      options_(std::move(options)),
      gate_(options_, services.guard),
      handlers_(services, options_),
      foreign_(services, handlers_, options_) {}

std::expected<httpd::Admission, Response> Application::admit(const RequestHead& head) {
  auto match = gate_.check(head);
  if (!match) return std::unexpected(in_dialect(dialect_of(head.path()), std::move(match.error())));
  httpd::Admission admission;
  admission.max_body = options_.http.max_body;
  admission.serve = [this, found = std::move(*match)](httpd::Exchange& exchange) { return serve(found, exchange); };
  return admission;
}

Response Application::refuse(const RequestHead& head, httpd::Fault fault, const std::string& message) {
  return in_dialect(dialect_of(head.path()), error_response(problem_of(fault), message));
}

void Application::answered(const RequestHead& head, int status) {
  const auto now = std::chrono::steady_clock::now();
  const std::string_view route = pattern_of(head.path());
  std::optional<std::chrono::microseconds> took;
  if (head.received_at) took = std::chrono::duration_cast<std::chrono::microseconds>(now - *head.received_at);
  http_.add(route, head.method, status, took);
  refusals_.answered(status, route, now);
}

asio::awaitable<void> Application::serve(Match match, httpd::Exchange& exchange) {
  if (match.endpoint == Endpoint::kExecute &&
      httpd::prefers_event_stream(exchange.head().only("Accept").value_or(""))) {
    co_return co_await handlers_.stream_execution(exchange, std::move(match.caller));
  }
  if (match.endpoint == Endpoint::kInteractive || match.foreign == Foreign::kPistonConnect) {
    co_return co_await serve_live(std::move(match), exchange);
  }
  Response response = co_await respond(std::move(match), exchange);
  co_await exchange.answer(std::move(response));
}

asio::awaitable<void> Application::serve_live(Match match, httpd::Exchange& exchange) {
  const RequestHead& head = exchange.head();
  if (auto refused = refuse_handshake(head)) {
    Response told = in_dialect(dialect_of(head.path()), std::move(*refused));
    co_return co_await exchange.answer(std::move(told));
  }
  const auto executor = co_await asio::this_coro::executor;
  const auto socket = co_await exchange.upgrade();
  if (!socket) co_return;
  if (match.endpoint == Endpoint::kInteractive) {
    Interactive live(executor, handlers_, *socket, {std::move(match.caller), options_.http.max_body});
    co_return co_await live.run();
  }
  PistonLive live(executor, handlers_, *socket, {std::move(match.caller), options_.http.max_body},
                  services_.pool.runtimes());
  co_await live.run();
}

asio::awaitable<Response> Application::respond(Match match, httpd::Exchange& exchange) {
  const RequestHead& head = exchange.head();
  std::string key(httpd::trimmed(head.only("Idempotency-Key").value_or("")));
  tenants::Caller caller = std::move(match.caller);
  Response response;
  switch (match.endpoint) {
    case Endpoint::kMetrics: response = show_metrics(); break;
    case Endpoint::kExecute: response = co_await execute(exchange, std::move(key), std::move(caller)); break;
    case Endpoint::kBatch: response = co_await execute_batch(exchange, std::move(caller)); break;
    case Endpoint::kListRuns:
      response = co_await handlers_.list_runs(std::string(head.query()), std::move(caller));
      break;
    case Endpoint::kReadRun:
      response = co_await handlers_.read_run(std::move(match.parameter), std::move(caller));
      break;
    case Endpoint::kCancelRun:
      response = co_await handlers_.cancel_run(std::move(match.parameter), std::move(caller));
      break;
    case Endpoint::kSubmitJob:
      response = co_await handlers_.submit_job(exchange.take_body(), std::move(key), std::move(caller));
      break;
    case Endpoint::kForeign: response = co_await answer_foreign(std::move(match), exchange, std::move(caller)); break;
    case Endpoint::kReadJob:
      response = co_await handlers_.read_job(std::move(match.parameter), std::move(caller));
      break;
    default: response = handlers_.answer(match.endpoint, exchange.take_body(), caller);
  }
  co_return response;
}

asio::awaitable<Response> Application::answer_foreign(Match match, httpd::Exchange& exchange, tenants::Caller caller) {
  const RequestHead& head = exchange.head();
  const auto field = [&head](std::string_view name) {
    return std::string(httpd::trimmed(head.only(name).value_or("")));
  };
  ForeignRequest request{
      match.foreign,   std::move(match.parameter),   std::string(head.query()), exchange.take_body(), std::move(caller),
      field("tokens"), field("MCP-Protocol-Version")};
  run::Cancellation cancellation;
  const auto watch = cancel_on_leaving(exchange, cancellation);
  const bool is_for_jobs = asks_for_jobs(request.endpoint);
  const std::string tenant = request.tenant();
  Response response = co_await foreign_.answer(std::move(request), cancellation);
  if (is_for_jobs) handlers_.tell_quota(response, tenant);
  co_return response;
}

asio::awaitable<Response> Application::execute_batch(httpd::Exchange& exchange, tenants::Caller caller) {
  run::Cancellation cancellation;
  const auto watch = cancel_on_leaving(exchange, cancellation);
  const std::string tenant = caller.tenant;
  Response response = co_await handlers_.execute_batch(exchange.take_body(), std::move(caller), cancellation);
  handlers_.tell_quota(response, tenant);  // an operator's batch may be of many tenants
  co_return response;
}

Response Application::show_metrics() {
  if (connections_) http_.connections = connections_();
  return handlers_.show_metrics(http_);
}

asio::awaitable<Response> Application::execute(httpd::Exchange& exchange, std::string key, tenants::Caller caller) {
  run::Cancellation cancellation;
  // With a key the client may come back; still its leaving must be seen, for nobody is to be answered then.
  const auto watch = key.empty() ? cancel_on_leaving(exchange, cancellation) : exchange.watch([] {});
  Response response = co_await handlers_.execute(exchange.take_body(), std::move(key), std::move(caller), cancellation);
  co_return response;
}

}  // namespace outrigger::api
