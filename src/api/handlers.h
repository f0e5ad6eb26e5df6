#pragma once

#include <boost/asio/awaitable.hpp>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "api/event_stream.h"
#include "api/message.h"
#include "api/options.h"
#include "api/routes.h"
#include "api/services.h"
#include "api/tenant_rules.h"
#include "httpd/exchange.h"
#include "metrics/exposition.h"
#include "pool/pool.h"
#include "run/cancellation.h"
#include "tenants/caller.h"
#include "tenants/rate_limiter.h"
#include "wire/execute_request.h"

namespace outrigger::api {

// Ends what `cancellation` is of when the client leaves, as long as the watch lives. Both outlive it.
[[nodiscard]] std::unique_ptr<httpd::PeerWatch> cancel_on_leaving(httpd::Exchange& exchange,
                                                                  run::Cancellation& cancellation);

// What the endpoints answer. Knows nothing of connections.
class Handlers {
 public:
  Handlers(Services services, const Options& options);

  // Runs one job. When `cancellation` strikes because the client left, nobody reads the answer. `key`: the request's
  // Idempotency-Key, empty where it has none; such a job is not ended because its client has left, who may come back
  // with the key for its answer.
  boost::asio::awaitable<Response> execute(std::string body, std::string key, tenants::Caller caller,
                                           run::Cancellation& cancellation);

  // Several, side by side; each with its own result or error, in their order.
  boost::asio::awaitable<Response> execute_batch(std::string body, tenants::Caller caller,
                                                 run::Cancellation& cancellation);

  // The same as server-sent events (api/event_stream.h). Refused before anything runs, it is answered as execute() is.
  boost::asio::awaitable<void> stream_execution(httpd::Exchange& exchange, tenants::Caller caller);

  // The job that a body of execute() asks for, ready to be run; or the refusal.
  [[nodiscard]] std::expected<model::Job, Response> accept_job(std::string_view body,
                                                               const tenants::Caller& caller) const;

  // Runs a job that is checked and in a language that is there; the refusal where it could not be begun.
  boost::asio::awaitable<std::expected<model::Outcome, Response>> run(model::Job job, run::Attendance attendance);

  // What jobs a minute are left to this tenant; the refusal where none is. To be asked for each job that is begun or
  // queued.
  [[nodiscard]] std::optional<Response> take_quota(const std::string& tenant);
  // Adds to the answer of a request for jobs how the tenant's quota of them stands, where it has one.
  void tell_quota(Response& response, std::string_view tenant) const;

  // The endpoints that wait for others: runs and jobs. What is another tenant's is to `caller` as if it were not there.
  boost::asio::awaitable<Response> list_runs(std::string query, tenants::Caller caller);
  boost::asio::awaitable<Response> read_run(std::string job_id, tenants::Caller caller);
  boost::asio::awaitable<Response> cancel_run(std::string job_id, tenants::Caller caller);
  boost::asio::awaitable<Response> submit_job(std::string body, std::string key, tenants::Caller caller);
  boost::asio::awaitable<Response> read_job(std::string job_id, tenants::Caller caller);

  // GET /metrics; `http` is what the connections have counted.
  [[nodiscard]] Response show_metrics(const metrics::HttpState& http) const;

  // All other endpoints; they wait for nothing.
  Response answer(Endpoint endpoint, const std::string& body, const tenants::Caller& caller);

  // What a request may ask for.
  [[nodiscard]] const TenantRules& rules() const { return rules_; }

  // From now on jobs are refused and /health says unready.
  void begin_shutdown() { shutting_down_ = true; }

 private:
  struct Batch;
  boost::asio::awaitable<void> work_on(Batch& batch);
  boost::asio::awaitable<Response> run_of(Batch& batch, std::size_t index);
  // Gives the job its runtime's own name; the refusal where there is none, or none that can run now.
  [[nodiscard]] std::optional<Response> settle_language(model::Job& job) const;
  static Response shutting_down();
  // What the pool says before anything ran.
  [[nodiscard]] Response refusal_of_job(const base::Error& error) const;
  boost::asio::awaitable<Response> execute_job(model::Job job, run::Cancellation& cancellation);
  boost::asio::awaitable<void> run_streamed(model::Job job, run::Attendance attendance, EventStream& events,
                                            std::optional<Response>& refused);
  boost::asio::awaitable<Response> promise_job(std::string body, std::string tenant, wire::EntryNotes notes);
  boost::asio::awaitable<Response> execute_accepted(model::Job job, std::string body, std::string key,
                                                    run::Cancellation& cancellation);
  boost::asio::awaitable<Response> submit_accepted(wire::QueuedRequest request, std::string body, std::string key,
                                                   wire::EntryNotes notes);
  [[nodiscard]] std::expected<wire::QueuedRequest, Response> accept_queued(std::string_view body,
                                                                           const tenants::Caller& caller) const;
  [[nodiscard]] bool takes_key(const std::string& key) const { return !key.empty() && services_.keys != nullptr; }
  boost::asio::awaitable<base::Result<queue::Cancelled>> cancel_queued(std::string job_id, tenants::Caller caller);
  Response write_dispatch(const std::string& body);
  [[nodiscard]] Response read_dispatch() const;

  Services services_;
  pool::ExecutionService& service_;
  const Options& options_;
  TenantRules rules_;
  tenants::RateLimiter rates_;
  bool shutting_down_ = false;
};

}  // namespace outrigger::api
