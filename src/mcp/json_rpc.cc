#include "mcp/json_rpc.h"

#include <boost/json/serialize.hpp>
#include <cmath>

#include "wire/json_writer.h"

namespace outrigger::mcp {
namespace {

namespace json = boost::json;

// MCP takes JSON-RPC's ids without null. The parser makes Infinity of a number like 1e400, which can't be sent back.
bool is_id(const json::value& value) {
  if (const double* number = value.if_double()) return std::isfinite(*number);
  return value.is_string() || value.is_int64() || value.is_uint64();
}

Message invalid(Message message, std::string fault) {
  message.kind = Message::Kind::kInvalid;
  message.fault = std::move(fault);
  return message;
}

wire::JsonWriter& begin_answer(wire::JsonWriter& writer, std::string_view id) {
  return writer.begin_object().key("jsonrpc").text("2.0").key("id").json(id);
}

}  // namespace

Message read_message(json::value value) {
  Message message;
  json::object* object = value.if_object();
  if (object == nullptr) return invalid(message, "a message must be a JSON object");
  const json::value* id = object->if_contains("id");
  const bool has_id = id != nullptr && is_id(*id);
  if (has_id) message.id = json::serialize(*id);
  const json::value* version = object->if_contains("jsonrpc");
  if (version == nullptr || !version->is_string() || version->get_string() != "2.0") {
    return invalid(message, R"(jsonrpc must be "2.0")");
  }
  const json::value* method = object->if_contains("method");
  if (method == nullptr && (object->contains("result") || object->contains("error"))) {
    message.kind = Message::Kind::kResponse;
    return message;
  }
  if (method == nullptr || !method->is_string()) return invalid(message, "method must be a string");
  if (id != nullptr && !has_id) return invalid(message, "id must be a string or a number");
  message.method = method->get_string();
  message.kind = has_id ? Message::Kind::kRequest : Message::Kind::kNotification;
  json::value* params = object->if_contains("params");
  if (params != nullptr && !params->is_object()) return invalid(message, "params must be an object");
  if (params != nullptr) message.params = std::move(params->get_object());
  return message;
}

std::string result_json(std::string_view id, std::string_view result) {
  wire::JsonWriter writer;
  begin_answer(writer, id).key("result").json(result);
  return writer.end_object().take();
}

std::string error_json(std::string_view id, int code, std::string_view message) {
  wire::JsonWriter writer;
  begin_answer(writer, id)
      .key("error")
      .begin_object()
      .key("code")
      .signed_number(code)
      .key("message")
      .text(message)
      .end_object();
  return writer.end_object().take();
}

bool is_of_no_request(std::string_view answer) {
  wire::JsonWriter writer;
  begin_answer(writer, kNoId);
  return answer.starts_with(writer.take());
}

}  // namespace outrigger::mcp
