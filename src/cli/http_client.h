#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace outrigger::cli {

enum class HttpMethod { kGet, kPost, kDelete };

struct HttpRequest {
  std::string host;
  std::uint16_t port = 80;
  HttpMethod method = HttpMethod::kPost;
  std::string target;           // "/api/v1/execute"
  std::string token;            // bearer token; empty: none
  std::string body;             // JSON; of kPost
  std::string idempotency_key;  // empty: none
  std::chrono::milliseconds connect_timeout{5000};
  std::chrono::milliseconds answer_timeout{60000};
};

struct HttpAnswer {
  unsigned status = 0;
  std::string body;
};

// One request on a connection of its own. The error is a sentence that names host and port.
std::expected<HttpAnswer, std::string> exchange(const HttpRequest& request);

struct ServerAddress {
  std::string host;
  std::uint16_t port = 80;
};

// "http://127.0.0.1:8080", "http://[::1]:8080/"; the error is a sentence.
std::expected<ServerAddress, std::string> parse_server(std::string_view url);

}  // namespace outrigger::cli
