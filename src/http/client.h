#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

namespace outrigger::http {

enum class Method { kGet, kPost, kPut, kDelete };

struct Request {
  std::string host;
  std::uint16_t port = 80;
  Method method = Method::kPost;
  std::string target;           // "/api/v1/execute"
  std::string token;            // bearer token; empty: none
  std::string body;             // JSON; of kPost and kPut
  std::string idempotency_key;  // empty: none
  std::chrono::milliseconds connect_timeout{5000};
  std::chrono::milliseconds answer_timeout{60000};  // of events: for each piece
  // Where set, server-sent events are asked for. If such an answer comes, the pieces of its body are told here as they
  // come, and are not in the answer. False: that is enough, and the connection is closed.
  std::function<bool(std::string_view)> on_events;
};

struct Answer {
  unsigned status = 0;
  std::string body;
  bool told = false;  // its body went to on_events
};

enum class Stage { kConnect, kAnswer };
struct Failure {
  Stage stage = Stage::kConnect;  // what it did not get beyond
  std::string text;               // a sentence that names host and port
};

// One request on a connection of its own. Blocking: no longer than the two timeouts, and what resolving a name takes.
std::expected<Answer, Failure> exchange(const Request& request);

struct Address {
  std::string host;
  std::uint16_t port = 80;
};

// "http://127.0.0.1:8080", "http://[::1]:8080/"; the error is a sentence.
std::expected<Address, std::string> parse_server(std::string_view url);

}  // namespace outrigger::http
