#include "api/error_response.h"
#include "api/handlers.h"
#include "base/ids.h"
#include "pool/language.h"
#include "wire/job_status.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds kLongestWrite{30'000};

Response refusal(const base::Error& error) {
  if (error.code == base::Code::kNotFound) return error_response(Problem::kNotFound, error.context, "job_id");
  return error_response(Problem::kUnavailable, error.context + "; try again later");
}

Response accepted(const wire::JobStatus& status, int code) {
  Response response;
  response.status = code;
  response.body = wire::job_status_json(status);
  return response;
}

}  // namespace

asio::awaitable<Response> Handlers::submit_job(std::string body, std::string key) {
  if (services_.jobs == nullptr) co_return error_response(Problem::kUnavailable, "this daemon has no queue");
  if (shutting_down_)
    co_return error_response(Problem::kShuttingDown, "the daemon is shutting down; nothing was queued");
  auto request = wire::parse_job_request(body, rules_);
  if (!request) co_return error_response(request.error());
  // Whether its image is there matters where and when it is run.
  const auto fault = pool::settle_language(request->job, service_.runtimes());
  if (fault && !fault->unavailable) co_return error_response(Problem::kInvalidRequest, fault->message, fault->field);
  if (!request->callback_url.empty()) {
    const std::string refused = services_.jobs->callback_refusal(request->callback_url);
    if (!refused.empty()) co_return error_response(Problem::kInvalidRequest, refused, "callback_url");
  }
  if (!takes_key(key)) {
    Response response = co_await promise_job(std::move(body));
    co_return response;
  }
  KeyKeeper::Use use{"jobs " + request->job.tenant_id, std::move(key), body, kLongestWrite};
  std::function<asio::awaitable<Response>()> work = [this, &body] { return promise_job(std::move(body)); };
  Response response = co_await services_.keys->answer(std::move(use), std::move(work));
  co_return response;
}

asio::awaitable<Response> Handlers::promise_job(std::string body) {
  const auto job_id = co_await services_.jobs->submit(std::move(body));
  if (!job_id) co_return refusal(job_id.error());
  Response response = accepted({*job_id, "queued", 0, false, {}, {}}, 202);
  response.headers.emplace_back("Location", "/api/v1/jobs/" + *job_id);
  co_return response;
}

asio::awaitable<Response> Handlers::read_job(std::string job_id) {
  if (services_.jobs == nullptr) co_return error_response(Problem::kUnavailable, "this daemon has no queue");
  if (!base::is_job_id(job_id)) {
    co_return error_response(Problem::kNotFound, "no queued job is known by this id", "job_id");
  }
  const auto status = co_await services_.jobs->look(job_id);
  if (!status) co_return refusal(status.error());
  co_return accepted(*status, 200);
}

}  // namespace outrigger::api
