#include "api/error_response.h"
#include "api/handlers.h"
#include "api/runs_query.h"
#include "base/ids.h"
#include "base/log.h"
#include "wire/json_writer.h"
#include "wire/run_record.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

Response no_trail() {
  return error_response(Problem::kUnavailable, "this daemon keeps no audit trail: audit.enabled is false");
}

// The database's own words are for the log.
Response away(const base::Error& error) {
  base::log(base::Level::kWarn, "audit_unavailable", {{"error", error.text()}});
  if (error.code == base::Code::kExhausted) {
    return error_response(Problem::kServerBusy, "too many ask for runs at a time; try again later");
  }
  return error_response(Problem::kUnavailable,
                        "the audit database can't be reached at the moment; rows are kept until it is back");
}

Response no_such_job(std::string_view what) {
  return error_response(Problem::kNotFound, std::string(what) + " with this job_id", "job_id");
}

}  // namespace

asio::awaitable<Response> Handlers::list_runs(std::string query, tenants::Caller caller) {
  if (services_.runs == nullptr) co_return no_trail();
  auto wanted = parse_runs_query(query);
  if (!wanted) co_return error_response(wanted.error());
  if (!caller.is_operator) {
    if (wanted->tenant_id && *wanted->tenant_id != caller.tenant) co_return foreign_tenant(caller);
    wanted->tenant_id = caller.tenant;
  }
  auto runs = co_await services_.runs->list(*wanted);
  if (!runs) co_return away(runs.error());
  wire::RunList list{std::move(*runs), {}};
  if (list.runs.size() == wanted->limit) {
    const model::Outcome& last = list.runs.back().outcome;
    list.next_before = cursor_text({last.started_at, last.job_id});
  }
  Response response;
  response.body = wire::run_list_json(list);
  co_return response;
}

asio::awaitable<Response> Handlers::read_run(std::string job_id, tenants::Caller caller) {
  if (services_.runs == nullptr) co_return no_trail();
  if (!base::is_job_id(job_id)) co_return no_such_job("there is no run");
  const auto run = co_await services_.runs->find(job_id);
  if (!run) co_return away(run.error());
  if (!*run || !caller.may_act_for((*run)->outcome.tenant_id)) co_return no_such_job("no run has ended");
  Response response;
  response.body = wire::run_record_json(**run);
  co_return response;
}

// A job waits or runs as its own tenant's: to others it is not there.
asio::awaitable<base::Result<queue::Cancelled>> Handlers::cancel_queued(std::string job_id, tenants::Caller caller) {
  if (services_.jobs == nullptr) co_return queue::Cancelled::kUnknown;
  if (!caller.is_operator) {
    const auto status = co_await services_.jobs->look(job_id);
    if (!status && status.error().code == base::Code::kNotFound) co_return queue::Cancelled::kUnknown;
    if (!status) co_return std::unexpected(status.error());
    if (!caller.may_act_for(status->tenant_id)) co_return queue::Cancelled::kUnknown;
  }
  const auto found = co_await services_.jobs->cancel(job_id);
  co_return found;
}

asio::awaitable<Response> Handlers::cancel_run(std::string job_id, tenants::Caller caller) {
  if (!base::is_job_id(job_id)) co_return no_such_job("there is no job");
  queue::Cancelled found = queue::Cancelled::kUnknown;
  if (service_.cancel(job_id, caller.is_operator ? std::string() : caller.tenant)) {
    found = queue::Cancelled::kUnderWay;
  } else {
    const auto answer = co_await cancel_queued(job_id, caller);
    if (!answer) co_return error_response(Problem::kUnavailable, answer.error().context);
    found = *answer;
  }
  if (found == queue::Cancelled::kUnknown && services_.runs != nullptr) {
    const auto run = co_await services_.runs->find(job_id);
    if (run && *run && caller.may_act_for((*run)->outcome.tenant_id)) found = queue::Cancelled::kEnded;
  }
  if (found == queue::Cancelled::kUnknown) co_return no_such_job("no job is waiting or running");
  if (found == queue::Cancelled::kEnded) {
    co_return error_response(Problem::kConflict, "the job has ended already; see GET /api/v1/runs/" + job_id, "job_id");
  }
  Response response;
  response.status = 202;
  wire::JsonWriter writer;
  writer.begin_object().key("job_id").text(job_id).key("cancelling").boolean(true).end_object();
  response.body = writer.take();
  co_return response;
}

}  // namespace outrigger::api
