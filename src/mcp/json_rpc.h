#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace outrigger::mcp {

// JSON-RPC 2.0 (jsonrpc.org/specification), section 5.1.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

// The id, as JSON text, of an answer to what was no request.
inline constexpr std::string_view kNoId = "null";

// One message of the other side.
struct Message {
  enum class Kind {
    kRequest,
    kNotification,
    kResponse,  // to a request of ours, of which there are none
    kInvalid,   // `fault` says why
  };
  Kind kind = Kind::kInvalid;
  std::string method;
  std::string id{kNoId};  // as JSON text
  boost::json::object params;
  std::string fault;
};

Message read_message(boost::json::value value);

// {"jsonrpc":"2.0","id":…,"result":…}; `result` is JSON text, as `id` is.
std::string result_json(std::string_view id, std::string_view result);
std::string error_json(std::string_view id, int code, std::string_view message);

// Whether an answer is an error that belongs to no request: what came was none.
bool is_of_no_request(std::string_view answer);

}  // namespace outrigger::mcp
