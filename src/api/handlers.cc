#include "api/handlers.h"

#include "api/error_response.h"
#include "api/openapi.h"
#include "api/service_json.h"
#include "base/log.h"
#include "sys/own_process.h"
#include "wire/dispatch_json.h"

namespace outrigger::api {
namespace {

Response ok(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

}  // namespace

std::unique_ptr<httpd::PeerWatch> cancel_on_leaving(httpd::Exchange& exchange, run::Cancellation& cancellation) {
  return exchange.watch([&cancellation] { cancellation.cancel(run::CancelReason::kClientLeft); });
}

Handlers::Handlers(Services services, const Options& options)
    : services_(services),
      service_(services.pool),
      options_(options),
      rules_({options.default_limits, options.limit_ceilings}, services.guard) {}

Response Handlers::answer(Endpoint endpoint, const std::string& body, const tenants::Caller& caller) {
  switch (endpoint) {
    case Endpoint::kHealth: {
      const Health health = assess(services_, shutting_down_);
      Response response = ok(health_to_json(health, services_, options_.version));
      response.status = health.status == HealthStatus::kUnready ? 503 : 200;
      return response;
    }
    case Endpoint::kLanguages: return ok(languages_to_json(service_, rules_.of(caller.tenant)));
    case Endpoint::kReadDispatch: return read_dispatch();
    case Endpoint::kWriteDispatch: return write_dispatch(body);
    case Endpoint::kOpenApi: return ok(std::string(openapi_document()));
    case Endpoint::kExecute:
    case Endpoint::kMetrics:
    case Endpoint::kListRuns:
    case Endpoint::kReadRun:
    case Endpoint::kCancelRun:
    case Endpoint::kBatch:
    case Endpoint::kSubmitJob:
    case Endpoint::kReadJob:
    case Endpoint::kInteractive:
    case Endpoint::kForeign: break;
  }
  return error_response(Problem::kInternalError, "this endpoint has no handler");
}

Response Handlers::show_metrics(const metrics::HttpState& http) const {
  const pool::PoolState state = service_.state();
  metrics::Snapshot now{options_.version, state, service_.job_counters(), http, {}};
  if (const auto process = sys::read_own_process()) now.process = *process;
  if (services_.runs != nullptr) now.audit = services_.runs->state();
  if (services_.jobs != nullptr) now.queue = services_.jobs->state();
  now.lost_log_lines = base::lost_log_lines();
  Response response = ok(metrics::exposition(now));
  response.content_type = metrics::kContentType;
  return response;
}

Response Handlers::read_dispatch() const {
  const pool::DispatchState state = service_.state().dispatch;
  return ok(wire::dispatch_to_json({state.paused, state.reason}));
}

Response Handlers::write_dispatch(const std::string& body) {
  const auto wanted = wire::parse_dispatch(body);
  if (!wanted) return error_response(wanted.error());
  service_.set_dispatch({wanted->paused, wanted->reason});
  return read_dispatch();
}

}  // namespace outrigger::api
