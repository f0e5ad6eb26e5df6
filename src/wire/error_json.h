#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrigger::wire {

// The body of every answer that is not a success.
struct ErrorBody {
  std::string code;     // to switch on: "invalid_request"
  std::string message;  // a sentence: what happened, to what, what to do
  std::string field;    // the request's field; empty (null in JSON) where none is to blame
};

// {"error":{"code":…,"message":…,"field":…|null}}
std::string error_to_json(const ErrorBody& error);

// The reverse, for clients; nothing where the text is no such body.
std::optional<ErrorBody> parse_error(std::string_view json);

}  // namespace outrigger::wire
