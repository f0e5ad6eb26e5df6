#include "api/gate.h"

#include <algorithm>

#include "api/error_response.h"
#include "httpd/header_values.h"
#include "wire/trace_context.h"

namespace outrigger::api {
namespace {

constexpr std::size_t kMaxKey = 255;

// A page in this machine's browser can send requests here that its user never meant, under a name of its own that it
// makes resolve to 127.0.0.1 (DNS rebinding). Without tokens the names are all we have to tell it from a program:
// browsers send Host, and with anything but a plain GET Origin, and let no page forge them.
std::optional<Response> check_origin(const RequestHead& head) {
  const auto host = head.authority();
  if (host && !httpd::is_local_authority(*host)) {
    return error_response(Problem::kForbiddenHost,
                          "without tokens this daemon answers only to localhost, 127.0.0.1 and [::1] as Host", "Host");
  }
  if (head.count("Origin") == 0) return std::nullopt;
  const std::string_view origin = head.only("Origin").value_or("");
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos && httpd::is_local_authority(origin.substr(scheme + 3))) return std::nullopt;
  return error_response(Problem::kForbiddenHost, "without tokens this daemon answers no page of another origin",
                        "Origin");
}

// RFC 6750, section 2.1; empty where none was sent.
std::string_view bearer_token(const RequestHead& head) {
  static constexpr std::string_view kScheme = "Bearer ";
  const std::string_view value = head.only("Authorization").value_or("");
  if (value.size() <= kScheme.size() || !same_token(value.substr(0, kScheme.size()), kScheme)) return {};
  return httpd::trimmed(value.substr(kScheme.size()));
}

std::optional<Response> check_host(const RequestHead& head) {
  const std::size_t hosts = head.count("Host");
  if (hosts == 1 || (hosts == 0 && head.version == 10)) return std::nullopt;
  return error_response(Problem::kInvalidRequest, "an HTTP/1.1 request has exactly one Host", "Host");
}

Response unauthorized() {
  Response response =
      error_response(Problem::kUnauthorized, "this daemon wants one of its tokens, as \"Authorization: Bearer TOKEN\"",
                     "Authorization");
  response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"outrigger\"");
  return response;
}

// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/: a key is a short text that its client
// makes up. Where it would do nothing it is refused, for its sender believes that it does something.
std::optional<Response> check_key(const RequestHead& head, Endpoint endpoint) {
  if (head.count("Idempotency-Key") == 0) return std::nullopt;
  const std::string_view key = httpd::trimmed(head.only("Idempotency-Key").value_or(""));
  if (endpoint != Endpoint::kExecute && endpoint != Endpoint::kSubmitJob) {
    return error_response(Problem::kInvalidRequest,
                          "only POST /api/v1/execute and /api/v1/jobs take an Idempotency-Key", "Idempotency-Key");
  }
  const bool printable = std::ranges::all_of(key, [](char c) { return c > ' ' && c < 127; });
  if (key.empty() || key.size() > kMaxKey || !printable) {
    return error_response(Problem::kInvalidRequest,
                          "Idempotency-Key must be given once, with 1 to 255 printable ASCII characters without spaces",
                          "Idempotency-Key");
  }
  return std::nullopt;
}

// Text passes for JSON where Piston's clients come: npm's piston-client, written for its public instance, calls it
// that. A page can send text anywhere without being asked, but not without its Origin, which was looked at before.
bool has_media_type(const RequestHead& head) {
  const std::string_view type = head.only("Content-Type").value_or("");
  if (httpd::is_json_media_type(type)) return true;
  return dialect_of(head.path()) == Dialect::kPiston &&
         same_token(httpd::trimmed(type.substr(0, type.find(';'))), "text/plain");
}

std::optional<Response> check_body(const RequestHead& head, std::size_t maximum) {
  if (head.count("Expect") > 0 && !same_token(head.only("Expect").value_or(""), "100-continue")) {
    return error_response(Problem::kExpectationFailed, "only 100-continue can be expected", "Expect");
  }
  if (head.count("Transfer-Encoding") > 0 && !same_token(head.only("Transfer-Encoding").value_or(""), "chunked")) {
    return error_response(Problem::kInvalidRequest, "the only transfer coding is chunked", "Transfer-Encoding");
  }
  if (head.count("Content-Encoding") > 0 && !same_token(head.only("Content-Encoding").value_or(""), "identity")) {
    return error_response(Problem::kUnsupportedMediaType, "the request body must not be compressed",
                          "Content-Encoding");
  }
  if (head.content_length.value_or(0) > maximum) {
    return error_response(Problem::kPayloadTooLarge,
                          "the request body must not be larger than " + std::to_string(maximum) + " bytes");
  }
  if ((head.method == "POST" || head.method == "PUT") && !has_media_type(head)) {
    return error_response(Problem::kUnsupportedMediaType,
                          "the request body must be sent as Content-Type: application/json", "Content-Type");
  }
  return std::nullopt;
}

}  // namespace

std::optional<tenants::Caller> Gate::caller_with(std::string_view token) const {
  if (!is_guarded()) return tenants::operator_without_token();
  return guard_->identify(token, std::chrono::system_clock::now());
}

std::optional<tenants::Caller> Gate::caller_of(const RequestHead& head) const {
  // Judge0's clients send theirs so.
  const auto judge0 = dialect_of(head.path()) == Dialect::kJudge0 ? head.only("X-Auth-Token") : std::nullopt;
  if (judge0) {
    if (auto caller = caller_with(httpd::trimmed(*judge0))) return caller;
  }
  return caller_with(bearer_token(head));
}

std::expected<Match, Response> Gate::check(const RequestHead& head) const {
  if (auto refused = check_host(head)) return std::unexpected(std::move(*refused));
  const std::string_view path = head.path();
  auto caller = caller_of(head);
  if (!is_guarded()) {
    if (auto refused = check_origin(head)) return std::unexpected(std::move(*refused));
  } else if (!caller && !is_open(path)) {
    return std::unexpected(unauthorized());
  }
  auto match = find_route(head.method, path);
  if (!match) return match;
  if (caller) match->caller = std::move(*caller);
  match->caller.traceparent = wire::good_traceparent(httpd::trimmed(head.only("traceparent").value_or("")));
  if (match->endpoint == Endpoint::kWriteDispatch && !match->caller.is_operator) {
    return std::unexpected(
        error_response(Problem::kForbidden, "only an operator's token may pause and resume dispatch", "Authorization"));
  }
  if (auto refused = check_body(head, options_.http.max_body)) return std::unexpected(std::move(*refused));
  if (auto refused = check_key(head, match->endpoint)) return std::unexpected(std::move(*refused));
  return match;
}

}  // namespace outrigger::api
