#include "wire/live_messages.h"

#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstdint>

#include "base/base64.h"
#include "wire/fields.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"

namespace outrigger::wire {
namespace {

constexpr std::int64_t kMaxSide = 1000;  // of a terminal
constexpr auto kStartFields = std::to_array<std::string_view>({"type", "request", "pty"});
constexpr auto kStdinFields = std::to_array<std::string_view>({"type", "data", "encoding"});
constexpr auto kStdinEndFields = std::to_array<std::string_view>({"type"});
constexpr auto kSignalFields = std::to_array<std::string_view>({"type", "signal"});
constexpr auto kSizeFields = std::to_array<std::string_view>({"rows", "columns"});
constexpr auto kResizeFields = std::to_array<std::string_view>({"type", "rows", "columns"});

std::uint16_t read_side(const Fields& fields, std::string_view name, Refusal& refusal) {
  const boost::json::value* value = fields.find(name);
  const std::int64_t* side = value == nullptr ? nullptr : value->if_int64();
  if (side != nullptr && *side >= 1 && *side <= kMaxSide) return static_cast<std::uint16_t>(*side);
  refusal.invalid(fields.path(name), "must be an integer from 1 to " + std::to_string(kMaxSide));
  return 0;
}

model::TerminalSize read_size(const Fields& fields, Refusal& refusal) {
  const std::uint16_t rows = read_side(fields, "rows", refusal);
  return {rows, read_side(fields, "columns", refusal)};
}

LiveStart read_start(const Fields& fields, Refusal& refusal) {
  fields.refuse_unknown(kStartFields);
  LiveStart start;
  if (const boost::json::object* request = fields.optional_object("request")) {
    start.request = boost::json::serialize(*request);
  } else {
    refusal.invalid("request", "is required: what POST /api/v1/execute takes as its body");
  }
  if (const boost::json::object* pty = fields.optional_object("pty")) {
    const Fields sides(*pty, "pty", refusal);
    sides.refuse_unknown(kSizeFields);
    start.terminal = read_size(sides, refusal);
  }
  return start;
}

LiveStdin read_stdin(const Fields& fields, Refusal& refusal) {
  fields.refuse_unknown(kStdinFields);
  const std::string_view data = fields.required_text("data");
  const std::string_view encoding = fields.optional_text("encoding");
  if (encoding.empty() || encoding == "utf8") return {std::string(data)};
  if (encoding != "base64") refusal.invalid("encoding", R"(must be "utf8" or "base64")");
  auto bytes = base::base64_decode(data);
  if (!bytes) refusal.invalid("data", "must be base64, with its padding and without line breaks");
  return {std::move(bytes).value_or("")};
}

LiveMessage read_message(const Fields& fields, Refusal& refusal) {
  const std::string_view type = fields.required_text("type");
  if (type == "start") return read_start(fields, refusal);
  if (type == "stdin") return read_stdin(fields, refusal);
  if (type == "stdin_end") {
    fields.refuse_unknown(kStdinEndFields);
    return LiveStdinEnd{};
  }
  if (type == "signal") {
    fields.refuse_unknown(kSignalFields);
    return LiveSignal{std::string(fields.required_text("signal"))};
  }
  if (type == "resize") {
    fields.refuse_unknown(kResizeFields);
    return LiveResize{read_size(fields, refusal)};
  }
  refusal.invalid("type", "must be start, stdin, stdin_end, signal or resize");
  return LiveStdinEnd{};
}

JsonWriter message_of(std::string_view type) {
  JsonWriter writer;
  writer.begin_object().key("type").text(type);
  return writer;
}

}  // namespace

std::expected<LiveMessage, RequestError> parse_live_message(std::string_view text) {
  const auto object = parse_object(text, "a message");
  if (!object) return std::unexpected(object.error());
  Refusal refusal;
  LiveMessage message = read_message(Fields(*object, "", refusal), refusal);
  if (refusal) return std::unexpected(refusal.error());
  return message;
}

std::string live_started(std::string_view job_id) {
  return message_of("started").key("job_id").text(job_id).end_object().take();
}

std::string live_output(std::string_view stream, std::string_view data) {
  return message_of(stream).key("data").text(data).end_object().take();
}

std::string live_finished(std::string_view result) {
  return message_of("finished").key("result").json(result).end_object().take();
}

// An answer's body is an object with one member, `error`.
std::string live_error(std::string_view error) {
  return R"({"type":"error",)" + std::string(error.substr(error.find('{') + 1));
}

}  // namespace outrigger::wire
