#include <boost/asio/this_coro.hpp>
#include <exception>
#include <list>

#include "api/error_response.h"
#include "api/handlers.h"
#include "run/task_group.h"
#include "wire/json_writer.h"
#include "wire/outcome_json.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;

// Of all results of a batch together: what they collected could else fill the memory.
constexpr std::size_t kMaxAnswer = 64U << 20;

}  // namespace

// Worked on by several coroutines, each of which takes the next that nobody has.
struct Handlers::Batch {
  tenants::Caller caller;
  wire::BatchRequest requests;
  std::vector<std::string> results;  // JSON
  std::list<run::Cancellation> running;
  std::size_t next = 0;
  std::size_t bytes = 0;
};

asio::awaitable<Response> Handlers::run_of(Batch& batch, std::size_t index) {
  auto& request = batch.requests.at(index);
  if (!request) co_return error_response(request.error());
  model::Job job = std::move(*request);
  if (!batch.caller.may_act_for(job.tenant_id)) co_return foreign_tenant(batch.caller);
  if (auto refused = settle_language(job)) co_return std::move(*refused);
  note_caller(job, batch.caller);
  batch.running.emplace_back();
  const auto cancellation = std::prev(batch.running.end());
  Response response = co_await execute_job(std::move(job), *cancellation);
  batch.running.erase(cancellation);
  co_return response;
}

asio::awaitable<void> Handlers::work_on(Batch& batch) {
  while (batch.next < batch.requests.size()) {
    const std::size_t index = batch.next++;
    Response response;
    try {
      response = co_await run_of(batch, index);
    } catch (const std::exception& error) {
      response = mistake("batch_failed", error);
    }
    if (batch.bytes + response.body.size() > kMaxAnswer) {
      response = error_response(Problem::kPayloadTooLarge,
                                "the program ran, but all results of a batch together must not be larger than " +
                                    std::to_string(kMaxAnswer) + " bytes; GET /api/v1/runs knows it");
    }
    batch.bytes += response.body.size();
    batch.results.at(index) = std::move(response.body);
  }
}

asio::awaitable<Response> Handlers::execute_batch(std::string body, tenants::Caller caller,
                                                  run::Cancellation& cancellation) {
  if (shutting_down_) co_return shutting_down();
  Batch batch;
  batch.caller = std::move(caller);
  {
    const auto rules_of = [this](std::string_view tenant) { return rules_.of(tenant); };
    auto parsed = wire::parse_batch_request(std::exchange(body, {}), rules_of);
    if (!parsed) co_return error_response(parsed.error());
    batch.requests = std::move(*parsed);
  }
  batch.results.resize(batch.requests.size());
  cancellation.on_cancel([&batch] {
    batch.next = batch.requests.size();
    for (run::Cancellation& each : batch.running) each.cancel(run::CancelReason::kClientLeft);
  });
  // At most half of the slots at a time: who sends one job beside it need not wait for the batch.
  const std::size_t workers = std::min(batch.requests.size(), std::max<std::size_t>(service_.state().slots / 2, 1));
  const auto executor = co_await asio::this_coro::executor;
  run::TaskGroup tasks(executor);
  for (std::size_t i = 0; i < workers; ++i) tasks.spawn(work_on(batch));
  co_await tasks.join();
  cancellation.on_cancel({});
  wire::JsonWriter writer;
  writer.reserve(batch.bytes + 1024);
  writer.begin_object().key("results").begin_array();
  for (const std::string& result : batch.results) writer.json(result);
  writer.end_array().end_object();
  Response response;
  response.body = writer.take();
  co_return response;
}

}  // namespace outrigger::api
