#include "api/error_response.h"
#include "api/handlers.h"
#include "base/ids.h"
#include "base/log.h"
#include "pool/language.h"
#include "wire/job_status.h"
#include "wire/trace_context.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds kLongestWrite{30'000};

Response unknown_job() { return error_response(Problem::kNotFound, "no queued job is known by this id", "job_id"); }

Response refusal(const base::Error& error) {
  if (error.code == base::Code::kNotFound) return unknown_job();
  return error_response(Problem::kUnavailable, error.context + "; try again later");
}

void log_queued(const std::string& job_id, const std::string& tenant, const wire::EntryNotes& notes) {
  base::LogFields fields{{"job_id", job_id}, {"tenant_id", tenant}};
  if (!notes.token_id.empty()) fields.emplace_back("token_id", notes.token_id);
  if (!notes.traceparent.empty()) fields.emplace_back("trace_id", wire::trace_id_of(notes.traceparent));
  base::log(base::Level::kInfo, "job_queued", fields);
}

Response accepted(const wire::JobStatus& status, int code) {
  Response response;
  response.status = code;
  response.body = wire::job_status_json(status);
  return response;
}

}  // namespace

std::expected<wire::QueuedRequest, Response> Handlers::accept_queued(std::string_view body,
                                                                     const tenants::Caller& caller) const {
  const auto refused = [](Problem problem, std::string_view message, std::string_view field = {}) {
    return std::unexpected(error_response(problem, message, field));
  };
  if (services_.jobs == nullptr) return refused(Problem::kUnavailable, "this daemon has no queue");
  if (shutting_down_) return refused(Problem::kShuttingDown, "the daemon is shutting down; nothing was queued");
  auto request = rules_.job_request(body, caller);
  if (!request) return request;
  // Whether its image is there matters where and when it is run.
  const auto fault = pool::settle_language(request->job, service_.runtimes());
  if (fault && !fault->unavailable) return refused(Problem::kInvalidRequest, fault->message, fault->field);
  if (!request->callback_url.empty()) {
    const std::string why = services_.jobs->callback_refusal(request->callback_url);
    if (!why.empty()) return refused(Problem::kInvalidRequest, why, "callback_url");
  }
  return request;
}

asio::awaitable<Response> Handlers::submit_job(std::string body, std::string key, tenants::Caller caller) {
  auto request = accept_queued(body, caller);
  const std::string tenant = request ? request->job.tenant_id : caller.tenant;
  Response response;
  if (request) {
    response = co_await submit_accepted(std::move(*request), std::move(body), std::move(key), notes_of(caller));
  } else {
    response = std::move(request.error());
  }
  tell_quota(response, tenant);
  co_return response;
}

asio::awaitable<Response> Handlers::submit_accepted(wire::QueuedRequest request, std::string body, std::string key,
                                                    wire::EntryNotes notes) {
  const std::string tenant = request.job.tenant_id;
  request = wire::QueuedRequest();  // its text is held once
  if (tenants::has_ceilings(rules_.quotas(tenant))) notes.ceilings = rules_.of(tenant).ceilings;
  if (!takes_key(key)) {
    Response response = co_await promise_job(std::move(body), tenant, notes);
    co_return response;
  }
  KeyKeeper::Use use{"jobs " + tenant, std::move(key), body, kLongestWrite};
  std::function<asio::awaitable<Response>()> work = [this, &body, &tenant, &notes] {
    return promise_job(std::move(body), tenant, notes);
  };
  Response response = co_await services_.keys->answer(std::move(use), std::move(work));
  co_return response;
}

asio::awaitable<Response> Handlers::promise_job(std::string body, std::string tenant, wire::EntryNotes notes) {
  if (auto refused = take_quota(tenant)) co_return std::move(*refused);
  const auto job_id = co_await services_.jobs->submit(std::move(body), notes);
  if (!job_id) co_return refusal(job_id.error());
  log_queued(*job_id, tenant, notes);
  Response response = accepted({*job_id, "queued", 0, false, {}, {}, {}}, 202);
  response.headers.emplace_back("Location", "/api/v1/jobs/" + *job_id);
  co_return response;
}

asio::awaitable<Response> Handlers::read_job(std::string job_id, tenants::Caller caller) {
  if (services_.jobs == nullptr) co_return error_response(Problem::kUnavailable, "this daemon has no queue");
  if (!base::is_job_id(job_id)) co_return unknown_job();
  const auto status = co_await services_.jobs->look(job_id);
  if (!status) co_return refusal(status.error());
  if (!caller.may_act_for(status->tenant_id)) co_return unknown_job();
  co_return accepted(*status, 200);
}

}  // namespace outrigger::api
