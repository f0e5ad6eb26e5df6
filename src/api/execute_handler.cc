#include "api/error_response.h"
#include "api/handlers.h"
#include "base/log.h"
#include "pool/language.h"
#include "wire/outcome_json.h"

namespace outrigger::api {
namespace {

// For a slot, and for what is around the program's own time.
constexpr std::chrono::milliseconds kLongestWait{30'000};

}  // namespace

Response Handlers::shutting_down() {
  return error_response(Problem::kShuttingDown, "the daemon is shutting down; nothing of the job ran");
}

std::optional<Response> Handlers::settle_language(model::Job& job) const {
  const auto fault = pool::settle_language(job, service_.runtimes());
  if (!fault) return std::nullopt;
  return error_response(fault->unavailable ? Problem::kRuntimeUnavailable : Problem::kInvalidRequest, fault->message,
                        fault->field);
}

// The step and its context are for the log, not for the caller.
Response Handlers::refusal_of_job(const base::Error& error) const {
  const Problem problem = shutting_down_ ? Problem::kShuttingDown : problem_of(error.code);
  switch (problem) {
    case Problem::kPoolExhausted:
      return error_response(problem, "all slots are busy and none became free in time; try again later");
    case Problem::kTooManyJobs:
      return error_response(problem,
                            "this tenant has as many jobs running as it may, and none of them ended in time; "
                            "try again later");
    case Problem::kDispatchPaused:
      return error_response(problem, "dispatch is paused" + (error.context.empty() ? "" : ": " + error.context) +
                                         "; see GET /api/v1/dispatch");
    case Problem::kNotFound:
      return error_response(Problem::kRuntimeUnavailable, "the language's runtime is not available now", "language");
    case Problem::kShuttingDown: return shutting_down();
    case Problem::kUnavailable:
      return error_response(problem,
                            "the audit trail can take no row now, and no job may run without one; nothing of "
                            "the job ran; its operator finds the reason in /health");
    default:
      base::log(base::Level::kError, "job_refused", {{"error", error.text()}});
      return error_response(problem, "the job could not be started (" + error.step + "); nothing of it ran");
  }
}

std::expected<model::Job, Response> Handlers::accept_job(std::string_view body, const tenants::Caller& caller) const {
  if (shutting_down_) return std::unexpected(shutting_down());
  auto parsed = rules_.execute_request(body, caller);
  if (!parsed) return parsed;
  if (auto refused = settle_language(*parsed)) return std::unexpected(std::move(*refused));
  note_caller(*parsed, caller);
  return std::move(*parsed);
}

boost::asio::awaitable<Response> Handlers::execute(std::string body, std::string key, tenants::Caller caller,
                                                   run::Cancellation& cancellation) {
  auto job = accept_job(body, caller);
  const std::string tenant = job ? job->tenant_id : caller.tenant;
  Response response;
  if (job) {
    response = co_await execute_accepted(std::move(*job), std::move(body), std::move(key), cancellation);
  } else {
    response = std::move(job.error());
  }
  tell_quota(response, tenant);
  co_return response;
}

boost::asio::awaitable<Response> Handlers::execute_accepted(model::Job job, std::string body, std::string key,
                                                            run::Cancellation& cancellation) {
  if (!takes_key(key)) {
    body = std::string();  // a job may wait and run for long; its text is held once
    Response response = co_await execute_job(std::move(job), cancellation);
    co_return response;
  }
  KeyKeeper::Use use{"execute " + job.tenant_id, std::move(key), std::move(body), kLongestWait + job.limits.wall_time};
  std::function<boost::asio::awaitable<Response>()> work = [this, &job, &cancellation] {
    return execute_job(std::move(job), cancellation);
  };
  Response response = co_await services_.keys->answer(std::move(use), std::move(work));
  co_return response;
}

boost::asio::awaitable<std::expected<model::Outcome, Response>> Handlers::run(model::Job job,
                                                                              run::Attendance attendance) {
  if (shutting_down_) co_return std::unexpected(shutting_down());
  if (auto refused = take_quota(job.tenant_id)) co_return std::unexpected(std::move(*refused));
  base::Result<model::Outcome> outcome = co_await service_.execute(std::move(job), attendance);
  if (outcome) co_return std::move(*outcome);
  co_return std::unexpected(refusal_of_job(outcome.error()));
}

boost::asio::awaitable<Response> Handlers::execute_job(model::Job job, run::Cancellation& cancellation) {
  const model::OutputEncoding encoding = job.output_encoding;
  auto outcome = co_await run(std::move(job), cancellation);
  if (!outcome) co_return std::move(outcome.error());
  Response response;
  response.body = wire::outcome_to_json(*outcome, encoding);
  co_return response;
}

}  // namespace outrigger::api
