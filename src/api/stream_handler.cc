#include <boost/asio/this_coro.hpp>

#include "api/error_response.h"
#include "api/handlers.h"
#include "run/task_group.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

// Sends what happens until nothing more can; false where the client took not all of it. The head goes with the first
// event: until then the request may still be refused with a status of its own.
asio::awaitable<bool> send_events(httpd::Exchange& exchange, EventStream& events, Response head,
                                  std::chrono::milliseconds silence) {
  bool begun = false;
  while (auto piece = co_await events.next(silence)) {
    if (!events.has_started()) continue;
    if (!begun) {
      begun = co_await exchange.begin(std::move(head));
      if (!begun) co_return false;
    }
    if (!co_await exchange.write(std::move(*piece))) co_return false;
  }
  co_return true;
}

}  // namespace

asio::awaitable<void> Handlers::run_streamed(model::Job job, run::Attendance attendance, EventStream& events,
                                             std::optional<Response>& refused) {
  try {
    auto outcome = co_await run(std::move(job), attendance);
    if (outcome) co_return events.finished(*outcome);
    refused = std::move(outcome.error());
  } catch (const std::exception& error) {
    refused = mistake("stream_failed", error);
  }
  events.failed(refused->body);
}

asio::awaitable<void> Handlers::stream_execution(httpd::Exchange& exchange, tenants::Caller caller) {
  if (exchange.head().count("Idempotency-Key") > 0) {
    co_return co_await exchange.answer(error_response(
        Problem::kInvalidRequest, "an answer under an Idempotency-Key is kept whole; ask for application/json",
        "Idempotency-Key"));
  }
  auto job = accept_job(exchange.take_body(), caller);
  const std::string tenant = job ? job->tenant_id : caller.tenant;
  if (!job) {
    tell_quota(job.error(), tenant);
    co_return co_await exchange.answer(std::move(job.error()));
  }
  const auto executor = co_await asio::this_coro::executor;
  EventStream events(executor, job->output_encoding);
  run::Cancellation cancellation;
  const run::Attendance attendance(cancellation, &events);
  std::optional<Response> refused;
  {
    const auto watch = cancel_on_leaving(exchange, cancellation);
    run::TaskGroup tasks(executor);
    tasks.spawn(run_streamed(std::move(*job), attendance, events, refused));
    Response head;
    head.content_type = "text/event-stream";
    head.headers.emplace_back("X-Accel-Buffering", "no");  // a proxy that collects would hold events back
    tell_quota(head, tenant);
    const bool taken = co_await send_events(exchange, events, std::move(head), options_.stream_comment);
    if (!taken) cancellation.cancel(run::CancelReason::kClientLeft);
    co_await tasks.join();
  }
  if (events.has_started()) {
    co_await exchange.finish();
  } else {
    tell_quota(*refused, tenant);
    co_await exchange.answer(std::move(*refused));
  }
}

}  // namespace outrigger::api
