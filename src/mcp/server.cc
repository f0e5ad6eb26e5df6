#include "mcp/server.h"

#include <algorithm>
#include <boost/json/array.hpp>

#include "mcp/tool_result.h"
#include "mcp/tools.h"
#include "wire/error_json.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/outcome_json.h"
#include "wire/run_record.h"

namespace outrigger::mcp {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::size_t kMaxBatch = 64;
constexpr std::string_view kInstructions =
    "Runs programs in sandboxes that have no network and keep nothing. Use run_code to try code out or to compute; "
    "list_languages says what there is.";

std::string refused(std::string_view sentence) { return tool_result(sentence, {}, true); }

// What the daemon has against a request.
std::string refused(const Answer& answer) {
  const auto error = wire::parse_error(answer.body);
  return refused(error ? in_arguments_terms(error->message) : "the daemon gave no answer that can be read");
}

}  // namespace

std::optional<std::string_view> known_revision(std::string_view name) {
  const auto* found = std::ranges::find(kRevisions, name);
  return found == kRevisions.end() ? std::nullopt : std::optional(*found);
}

asio::awaitable<std::optional<std::string>> Server::answer(std::string text, Session& session) {
  auto tree = wire::parse_tree(text);
  text = std::string();  // a program may run for long; its text is held once
  if (!tree) co_return error_json(kNoId, kParseError, tree.error().message);
  if (!tree->is_array()) {
    auto one = co_await answer_one(std::move(*tree), session, false);
    co_return one;
  }
  if (!has_batches(session.revision)) co_return error_json(kNoId, kInvalidRequest, "this revision has no batches");
  json::array& batch = tree->get_array();
  if (batch.empty() || batch.size() > kMaxBatch) {
    co_return error_json(kNoId, kInvalidRequest, "a batch has 1 to " + std::to_string(kMaxBatch) + " messages");
  }
  std::string all;
  for (json::value& each : batch) {
    auto one = co_await answer_one(std::move(each), session, true);
    if (one) all += (all.empty() ? "[" : ",") + *one;
  }
  if (all.empty()) co_return std::nullopt;
  co_return all + "]";
}

asio::awaitable<std::optional<std::string>> Server::answer_one(json::value value, Session& session, bool in_batch) {
  Message message = read_message(std::move(value));
  if (message.kind == Message::Kind::kInvalid) co_return error_json(message.id, kInvalidRequest, message.fault);
  if (message.kind != Message::Kind::kRequest) co_return std::nullopt;
  std::string answer = co_await answer_request(std::move(message), session, in_batch);
  co_return answer;
}

asio::awaitable<std::string> Server::answer_request(Message message, Session& session, bool in_batch) {
  const std::string id = message.id;
  if (message.method == "ping") co_return result_json(id, "{}");
  if (message.method == "initialize") {
    if (in_batch) co_return error_json(id, kInvalidRequest, "initialize can't be part of a batch");
    co_return initialize(message, session);
  }
  if (message.method == "tools/list") co_return result_json(id, tool_list());
  if (message.method == "tools/call") {
    std::string answer = co_await call_tool(std::move(message));
    co_return answer;
  }
  co_return error_json(id, kMethodNotFound, "there is no method " + wire::shortened(message.method));
}

std::string Server::initialize(const Message& message, Session& session) const {
  const json::value* wanted = message.params.if_contains("protocolVersion");
  if (wanted == nullptr || !wanted->is_string()) {
    return error_json(message.id, kInvalidParams, "protocolVersion is required, as a string");
  }
  // A server that does not know it names one that it does; the client then takes that or leaves.
  session.revision = known_revision(wanted->get_string()).value_or(kLatest);
  wire::JsonWriter writer;
  writer.begin_object().key("protocolVersion").text(session.revision);
  writer.key("capabilities").begin_object().key("tools").begin_object().end_object().end_object();
  writer.key("serverInfo").begin_object().key("name").text("outrigger").key("title").text("Outrigger");
  writer.key("version").text(version_).end_object();
  writer.key("instructions").text(kInstructions);
  return result_json(message.id, writer.end_object().take());
}

asio::awaitable<std::string> Server::call_tool(Message message) {
  const std::string id = message.id;
  const json::value* name = message.params.if_contains("name");
  if (name == nullptr || !name->is_string()) co_return error_json(id, kInvalidParams, "name is required, as a string");
  const std::string tool(name->get_string());
  json::value* given = message.params.if_contains("arguments");
  if (given != nullptr && !given->is_object()) co_return error_json(id, kInvalidParams, "arguments must be an object");
  json::object arguments;
  if (given != nullptr) arguments = std::move(given->get_object());
  std::string result;
  if (tool == kRunCode) {
    result = co_await run_code(std::move(arguments));
  } else if (tool == kListLanguages) {
    result = co_await list_languages(std::move(arguments));
  } else if (tool == kGetRun) {
    result = co_await get_run(std::move(arguments));
  } else {
    co_return error_json(id, kInvalidParams, "there is no tool " + wire::shortened(tool));
  }
  co_return result_json(id, result);
}

asio::awaitable<std::string> Server::run_code(json::object arguments) {
  auto body = execute_body(arguments, tenant_);
  if (!body) co_return refused(body.error());
  arguments = json::object();
  const Answer answer = co_await backend_.execute(std::move(*body));
  if (!answer.ok) co_return refused(answer);
  const auto outcome = wire::parse_outcome(answer.body, model::OutputEncoding::kUtf8);
  if (!outcome) co_return refused("the daemon's answer can't be read: " + outcome.error().text());
  co_return run_result(*outcome);
}

asio::awaitable<std::string> Server::list_languages(json::object arguments) {
  if (const std::string unknown = unknown_argument(arguments, {}); !unknown.empty()) co_return refused(unknown);
  const Answer answer = co_await backend_.languages();
  if (!answer.ok) co_return refused(answer);
  auto result = languages_result(answer.body);
  if (!result) co_return refused("the daemon's answer can't be read: " + result.error().text());
  co_return std::move(*result);
}

asio::awaitable<std::string> Server::get_run(json::object arguments) {
  auto job_id = job_id_of(arguments);
  if (!job_id) co_return refused(job_id.error());
  const Answer answer = co_await backend_.find_run(std::move(*job_id));
  if (!answer.ok) co_return refused(answer);
  const auto record = wire::parse_run_record(answer.body);
  if (!record) co_return refused("the daemon's answer can't be read: " + record.error().text());
  co_return record_result(*record, answer.body);
}

}  // namespace outrigger::mcp
