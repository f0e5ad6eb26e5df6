#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrigger::httpd {

using Header = std::pair<std::string, std::string>;

// Field names and tokens of HTTP compare without regard to ASCII case.
bool same_token(std::string_view a, std::string_view b);

// The head of a request, as the rooms behind the HTTP parser see it.
struct RequestHead {
  std::string method;
  std::string target;
  unsigned version = 11;  // 10 or 11
  bool keep_alive = true;
  bool has_body = false;
  std::optional<std::uint64_t> content_length;
  std::vector<Header> headers;
  std::optional<std::chrono::steady_clock::time_point> received_at;  // when all of it was there

  [[nodiscard]] std::size_t count(std::string_view name) const;
  // The field's value, unless it is absent or given more than once.
  [[nodiscard]] std::optional<std::string_view> only(std::string_view name) const;
  // The target without query; of "http://host/path" the path.
  [[nodiscard]] std::string_view path() const;
  // What follows the target's "?", percent-encoded as it came; empty where nothing does.
  [[nodiscard]] std::string_view query() const;
  // Whom the request was meant for: of "http://host/path" the host (RFC 9112, 3.2.2), else the field Host.
  [[nodiscard]] std::optional<std::string_view> authority() const;
};

struct Response {
  int status = 200;
  std::string body;
  std::vector<Header> headers;                         // beyond those that every answer has
  std::string_view content_type = "application/json";  // static text
};

// The answer's head as it goes on the wire, before its body. `keep_alive`: whether the connection stays open after it.
std::string head_to_wire(const Response& response, const RequestHead& request, bool keep_alive);
// The same of an answer whose body comes piece by piece: in chunks, up to the connection's end for HTTP/1.0.
std::string stream_head_to_wire(const Response& response, const RequestHead& request, bool keep_alive);

}  // namespace outrigger::httpd
