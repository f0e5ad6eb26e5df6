#include "cli/remote.h"

namespace outrigger::cli {
namespace {

constexpr const char* kAdvice = ": start a daemon with `outriggerd`, name another with --server, or use --local";

wire::ErrorBody refusal(const http::Answer& answer, const std::string& server) {
  if (auto error = wire::parse_error(answer.body)) return std::move(*error);
  return {"bad_answer", server + " answered with HTTP " + std::to_string(answer.status) + ", but not as Outrigger does",
          ""};
}

}  // namespace

std::expected<http::Answer, wire::ErrorBody> ask(const Remote& remote, http::Request request) {
  const auto invalid = [](std::string message) {
    return std::unexpected(wire::ErrorBody{"invalid_request", std::move(message), ""});
  };
  const auto address = http::parse_server(remote.server);
  if (!address) return invalid(address.error());
  if (remote.token.find_first_of("\r\n") != std::string::npos) return invalid("OUTRIGGER_TOKEN must be one line");
  request.host = address->host;
  request.port = address->port;
  request.token = remote.token;
  auto answer = http::exchange(request);
  if (!answer) {
    const bool nobody = answer.error().stage == http::Stage::kConnect;
    return std::unexpected(wire::ErrorBody{"unreachable", answer.error().text + (nobody ? kAdvice : ""), ""});
  }
  if (answer->status < 200 || answer->status > 299) return std::unexpected(refusal(*answer, remote.server));
  return std::move(*answer);
}

std::expected<std::string, wire::ErrorBody> ask(const Remote& remote, http::Method method, std::string target,
                                                std::string body, std::string idempotency_key,
                                                std::chrono::milliseconds patience) {
  http::Request request;
  request.method = method;
  request.target = std::move(target);
  request.body = std::move(body);
  request.idempotency_key = std::move(idempotency_key);
  request.answer_timeout = patience;
  auto answer = ask(remote, std::move(request));
  if (!answer) return std::unexpected(std::move(answer.error()));
  return std::move(answer->body);
}

std::string percent_encoded(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  static constexpr std::string_view kPlain = "-._~";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xfU];
    }
  }
  return out;
}

}  // namespace outrigger::cli
