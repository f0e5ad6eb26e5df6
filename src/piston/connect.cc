#include "piston/connect.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "piston/result.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::piston {
namespace {

namespace json = boost::json;

const json::string* text_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_string();
}

wire::JsonWriter message_of(std::string_view type) {
  wire::JsonWriter writer;
  writer.begin_object().key("type").text(type);
  return writer;
}

}  // namespace

std::expected<ClientMessage, std::string> parse_client_message(std::string_view text) {
  const auto object = wire::parse_object(text, "a message");
  if (!object) return std::unexpected(object.error().message);
  const json::string* type = text_of(*object, "type");
  if (type == nullptr) return Other{};
  if (*type == "init") return Init{};
  if (*type == "signal") {
    const json::string* signal = text_of(*object, "signal");
    return Signal{signal == nullptr ? "" : std::string(*signal)};
  }
  if (*type != "data") return Other{};
  const json::string* stream = text_of(*object, "stream");
  const json::string* data = text_of(*object, "data");
  if (stream != nullptr && *stream == "stdin" && data == nullptr) return std::unexpected("data must be a string");
  return Data{stream == nullptr ? "" : std::string(*stream), data == nullptr ? "" : std::string(*data)};
}

bool has_stdin(std::string_view init) {
  const auto object = wire::parse_object(init, "a message");
  const json::string* given = object ? text_of(*object, "stdin") : nullptr;
  return given != nullptr && !given->empty();
}

std::string runtime_message(const Runtime& runtime) {
  wire::JsonWriter writer = message_of("runtime");
  writer.key("language").text(runtime.language).key("version").text(version_text(runtime.version));
  return writer.end_object().take();
}

std::string stage_message(std::string_view stage) {
  return message_of("stage").key("stage").text(stage).end_object().take();
}

std::string data_message(std::string_view stream, std::string_view data) {
  return message_of("data").key("stream").text(stream).key("data").text(data).end_object().take();
}

std::string error_message(std::string_view message) {
  return message_of("error").key("message").text(message).end_object().take();
}

std::string exit_message(std::string_view stage, const model::Outcome& outcome) {
  const Ending ending = ending_of(outcome);
  wire::JsonWriter writer = message_of("exit");
  writer.key("stage").text(stage).key("code");
  if (ending.has_code) {
    writer.signed_number(ending.code);
  } else {
    writer.null();
  }
  return writer.key("signal").text_or_null(ending.signal).end_object().take();
}

std::string exit_message(std::string_view stage, const model::CompileReport& report) {
  return exit_message(stage, as_stage(report));
}

}  // namespace outrigger::piston
