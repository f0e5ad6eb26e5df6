#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/job.h"
#include "wire/request_error.h"

// The messages of GET /api/v1/interactive, each a JSON object with a `type`: docs/interactive.md.
namespace outrigger::wire {

struct LiveStart {
  std::string request;  // the text of a body of POST /api/v1/execute
  std::optional<model::TerminalSize> terminal;
};
struct LiveStdin {
  std::string bytes;
};
struct LiveStdinEnd {};
struct LiveSignal {
  std::string name;  // as it was sent; whether there is such a signal is not known here
};
struct LiveResize {
  model::TerminalSize size;
};
using LiveMessage = std::variant<LiveStart, LiveStdin, LiveStdinEnd, LiveSignal, LiveResize>;

// What a client says, strictly: the field of an error is the message's own ("rows", "pty.rows").
std::expected<LiveMessage, RequestError> parse_live_message(std::string_view text);

// What it is told. `data` is text already; `result` and `error` are JSON: a result without outputs, an error's answer.
std::string live_started(std::string_view job_id);
std::string live_output(std::string_view stream, std::string_view data);
std::string live_finished(std::string_view result);
std::string live_error(std::string_view error);

}  // namespace outrigger::wire
