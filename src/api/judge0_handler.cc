#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>

#include "api/error_response.h"
#include "api/foreign_handlers.h"
#include "api/judge0_query.h"
#include "base/ids.h"
#include "judge0/config.h"
#include "judge0/language.h"
#include "judge0/state.h"
#include "judge0/submission.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::api {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr std::chrono::seconds kLongestWait{600};  // as Judge0
constexpr std::chrono::milliseconds kFirstLook{5};
constexpr std::chrono::milliseconds kSlowestLook{100};
constexpr std::size_t kMaxEntry = (16U << 20) - 1024;  // of the queue's, with what is put around a body

Response answer_of(int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}
Response refusal(int status, std::string_view message) { return answer_of(status, judge0::error_json(message)); }
Response not_found() { return answer_of(404, R"({"status":404,"error":"Not Found"})"); }
Response no_queue() { return refusal(503, "this daemon has no queue"); }

}  // namespace

asio::awaitable<Response> ForeignHandlers::judge0(ForeignRequest request, run::Cancellation& cancellation) {
  const auto& runtimes = services_.pool.runtimes();
  Response response;
  switch (request.endpoint) {
    case Foreign::kJudge0Create: response = co_await judge0_create(std::move(request), cancellation); break;
    case Foreign::kJudge0CreateBatch: response = co_await judge0_create_batch(std::move(request)); break;
    case Foreign::kJudge0Read: response = co_await judge0_read(std::move(request)); break;
    case Foreign::kJudge0ReadBatch: response = co_await judge0_read_batch(std::move(request)); break;
    // Judge0 gives these two to nobody unless its operator has set a second kind of token.
    case Foreign::kJudge0List:
    case Foreign::kJudge0Delete: response.status = 403; break;
    case Foreign::kJudge0Languages: response.body = judge0::languages_json(runtimes, false); break;
    case Foreign::kJudge0AllLanguages: response.body = judge0::languages_json(runtimes, true); break;
    case Foreign::kJudge0Language: response = judge0_language(request.parameter); break;
    case Foreign::kJudge0Statuses: response.body = judge0::statuses_json(); break;
    case Foreign::kJudge0About: response.body = judge0::about_json("Outrigger " + options_.version); break;
    case Foreign::kJudge0Config: response = judge0_config(request.tenant()); break;
    case Foreign::kJudge0Workers: response = judge0_workers(); break;
    case Foreign::kJudge0Version:
      response.body = judge0::kApiVersion;
      response.content_type = "text/plain; charset=utf-8";
      break;
    default: response = error_response(Problem::kInternalError, "this route has no handler");
  }
  co_return response;
}

Response ForeignHandlers::judge0_config(const std::string& tenant) const {
  const wire::RequestRules rules = rules_.of(tenant);
  return answer_of(200, judge0::config_info_json(rules.defaults, rules.ceilings));
}

Response ForeignHandlers::judge0_language(const std::string& id) const {
  int number = 0;
  const auto [end, ec] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (ec != std::errc() || end != id.data() + id.size()) return not_found();
  const auto language = judge0::find_language(services_.pool.runtimes(), number);
  if (!language) return not_found();
  return answer_of(200, judge0::language_json(*language));
}

Response ForeignHandlers::judge0_workers() const {
  const pool::PoolState pool = services_.pool.state();
  const queue::QueueState queue = services_.jobs == nullptr ? queue::QueueState{} : services_.jobs->state();
  const std::size_t idle = pool.slots - std::min(pool.slots, pool.running);
  wire::JsonWriter writer;
  writer.begin_array().begin_object().key("queue").text("default").key("size").number(queue.waiting);
  writer.key("available").number(pool.slots).key("idle").number(idle).key("working").number(pool.running);
  writer.key("paused").number(pool.dispatch.paused ? idle : 0).key("failed").number(queue.dead);
  return answer_of(200, writer.end_object().end_array().take());
}

// One submission on its way into the queue: its token, or what is wrong with it.
asio::awaitable<std::expected<std::string, Response>> ForeignHandlers::judge0_submit(boost::json::object attributes,
                                                                                     tenants::Caller caller,
                                                                                     bool base64_encoded) {
  const std::string tenant = tenants::account_of(caller);
  const wire::RequestRules rules = rules_.of(tenant);
  const judge0::Arrival arrival{tenant, base64_encoded, std::chrono::system_clock::now()};
  auto submission = judge0::read_submission(attributes, arrival, services_.pool.runtimes(), rules);
  attributes = boost::json::object();
  if (!submission) co_return std::unexpected(answer_of(422, submission.error().json()));
  if (!submission->callback_url.empty()) {
    const std::string refused = services_.jobs->callback_refusal(submission->callback_url);
    judge0::Errors errors;
    errors.add("callback_url", refused);
    if (!refused.empty()) co_return std::unexpected(answer_of(422, errors.json()));
  }
  std::string body = wire::queued_body(submission->job, submission->callback_url);
  submission->job = model::Job();
  if (body.size() > kMaxEntry) co_return std::unexpected(refusal(413, "the submission is too large for the queue"));
  if (auto refused = handlers_.take_quota(tenant)) {
    co_return std::unexpected(in_dialect(Dialect::kJudge0, std::move(*refused)));
  }
  const auto job_id = co_await services_.jobs->submit(std::move(body), notes_of(caller));
  if (!job_id) co_return std::unexpected(refusal(503, job_id.error().context + "; try again later"));
  co_return judge0::token_of(*job_id);
}

// As it stands; nothing where no submission of this tenant's has this token.
asio::awaitable<std::expected<std::optional<judge0::State>, Response>> ForeignHandlers::judge0_look(
    std::string token, std::string tenant) {
  std::optional<judge0::State> state;
  const std::string job_id = judge0::job_id_of(token);
  if (!base::is_job_id(job_id)) co_return state;
  const auto status = co_await services_.jobs->look(job_id);
  if (!status && status.error().code == base::Code::kNotFound) co_return state;
  if (!status) co_return std::unexpected(refusal(503, status.error().context + "; try again later"));
  if (status->tenant_id == tenant) state = judge0::state_of(*status);
  co_return state;
}

asio::awaitable<Response> ForeignHandlers::judge0_create(ForeignRequest request, run::Cancellation& cancellation) {
  const auto query = read_judge0_query(request.query);
  if (!query) co_return refusal(400, query.error());
  if (services_.jobs == nullptr) co_return no_queue();
  auto attributes = wire::parse_object(request.body, "the request body");
  if (!attributes) co_return refusal(400, attributes.error().message);
  request.body = std::string();
  auto token = co_await judge0_submit(std::move(*attributes), request.caller, query->view.base64_encoded);
  if (!token) co_return std::move(token.error());
  wire::JsonWriter plain;
  plain.begin_object().key("token").text(*token).end_object();
  if (!query->wait) co_return answer_of(201, plain.take());
  const auto state = co_await judge0_wait(*token, request.tenant(), cancellation);
  if (!state) co_return answer_of(201, plain.take());
  const auto text = judge0::submission_json(*token, state->kept, state->verdict, query->view);
  if (text) co_return answer_of(201, *text);
  wire::JsonWriter writer;
  writer.begin_object().key("error").text(text.error()).key("token").text(*token).end_object();
  co_return answer_of(201, writer.take());
}

// Until it is final, its client has left, or too long: nothing where it can't be found any more.
asio::awaitable<std::optional<judge0::State>> ForeignHandlers::judge0_wait(std::string token, std::string tenant,
                                                                           run::Cancellation& cancellation) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor);
  const auto give_up_at = std::chrono::steady_clock::now() + kLongestWait;
  std::chrono::milliseconds pause = kFirstLook;
  std::optional<judge0::State> found;
  while (true) {
    auto state = co_await judge0_look(token, tenant);
    if (state) found = std::move(*state);
    const bool final = found && judge0::is_final(found->verdict);
    if (final || cancellation.cancelled() || std::chrono::steady_clock::now() >= give_up_at) co_return found;
    timer.expires_after(pause);
    co_await timer.async_wait(asio::use_awaitable);
    pause = std::min(pause * 2, kSlowestLook);
  }
}

asio::awaitable<Response> ForeignHandlers::judge0_create_batch(ForeignRequest request) {
  const auto query = read_judge0_query(request.query);
  if (!query) co_return refusal(400, query.error());
  if (services_.jobs == nullptr) co_return no_queue();
  auto body = wire::parse_object(request.body, "the request body");
  if (!body) co_return refusal(400, body.error().message);
  request.body = std::string();
  boost::json::value* list = body->if_contains("submissions");
  const std::size_t count = list != nullptr && list->is_array() ? list->get_array().size() : 0;
  if (auto fault = batch_fault(count); !fault.empty()) co_return refusal(400, fault);
  std::string all;
  bool any = false;
  for (boost::json::value& each : list->get_array()) {
    boost::json::object attributes;
    if (each.is_object()) attributes = std::move(each.get_object());
    auto token = co_await judge0_submit(std::move(attributes), request.caller, query->view.base64_encoded);
    any = any || token.has_value();
    wire::JsonWriter writer;
    if (token) writer.begin_object().key("token").text(*token).end_object();
    all += (all.empty() ? "[" : ",") + (token ? writer.take() : token.error().body);
  }
  co_return answer_of(any ? 201 : 422, all + "]");
}

asio::awaitable<Response> ForeignHandlers::judge0_read(ForeignRequest request) {
  const auto query = read_judge0_query(request.query);
  if (!query) co_return refusal(400, query.error());
  if (services_.jobs == nullptr) co_return no_queue();
  auto state = co_await judge0_look(request.parameter, request.tenant());
  if (!state) co_return std::move(state.error());
  const std::optional<judge0::State> found = std::move(*state);
  if (!found) co_return not_found();
  const auto text = judge0::submission_json(request.parameter, found->kept, found->verdict, query->view);
  if (!text) co_return refusal(400, text.error());
  co_return answer_of(200, *text);
}

asio::awaitable<Response> ForeignHandlers::judge0_read_batch(ForeignRequest request) {
  const auto query = read_judge0_query(request.query);
  if (!query) co_return refusal(400, query.error());
  if (services_.jobs == nullptr) co_return no_queue();
  const std::vector<std::string> tokens = split_tokens(request.tokens.empty() ? query->tokens : request.tokens);
  if (auto fault = batch_fault(tokens.size()); !fault.empty()) co_return refusal(400, fault);
  std::string all;
  for (const std::string& token : tokens) {
    auto state = co_await judge0_look(token, request.tenant());
    if (!state) co_return std::move(state.error());
    std::expected<std::string, std::string> text = "null";
    const std::optional<judge0::State> found = std::move(*state);
    if (found) text = judge0::submission_json(token, found->kept, found->verdict, query->view);
    if (!text) co_return refusal(400, of_one_or_more(text.error()));
    all += (all.empty() ? "" : ",") + *text;
  }
  co_return answer_of(200, R"({"submissions":[)" + all + "]}");
}

}  // namespace outrigger::api
