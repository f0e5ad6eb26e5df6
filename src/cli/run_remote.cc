#include <algorithm>

#include "base/utf8.h"
#include "cli/answer.h"
#include "cli/http_client.h"
#include "wire/outcome_json.h"

namespace outrigger::cli {
namespace {

// A daemon bounds every job itself; this only keeps a dead peer from holding us for ever.
constexpr std::chrono::minutes kPatience{10};

std::chrono::milliseconds patience(const RunOptions& options) {
  double asked_ms = 0;
  for (const auto& [field, value] : options.limits) {
    if (field->name == "wall_time_ms") asked_ms = value;
  }
  const auto asked = std::chrono::milliseconds{static_cast<std::int64_t>(asked_ms)};
  return kPatience + std::min<std::chrono::milliseconds>(asked, std::chrono::hours{48});
}

// JSON carries text only, and the API has no other form for these two.
std::string not_text(const Program& program) {
  if (!base::is_utf8(program.code)) return "the program is not UTF-8 text, which is all a daemon takes; use --local";
  if (!base::is_utf8(program.stdin_data))
    return "stdin is not UTF-8 text, which is all a daemon takes; use --local, or "
           "lay it into the working directory with --file";
  return {};
}

wire::ErrorBody refusal(const HttpAnswer& answer, const std::string& server) {
  if (auto error = wire::parse_error(answer.body)) return std::move(*error);
  return {"bad_answer", server + " answered with HTTP " + std::to_string(answer.status) + ", but not as Outrigger does",
          ""};
}

}  // namespace

Answered run_remote(const RunOptions& options, const Program& program, model::OutputEncoding encoding) {
  const auto invalid = [](std::string message) {
    return std::unexpected(wire::ErrorBody{"invalid_request", std::move(message), ""});
  };
  const auto address = parse_server(options.server);
  if (!address) return invalid(address.error());
  if (options.token.find_first_of("\r\n") != std::string::npos) return invalid("OUTRIGGER_TOKEN must be one line");
  if (std::string refused = not_text(program); !refused.empty()) return invalid(std::move(refused));
  HttpRequest request{address->host, address->port, "/api/v1/execute", options.token, {}};
  request.body = request_body(options, program, encoding);
  request.answer_timeout = patience(options);
  auto answer = post(request);
  if (!answer) return std::unexpected(wire::ErrorBody{"unreachable", answer.error(), ""});
  if (answer->status != 200) return std::unexpected(refusal(*answer, options.server));
  auto outcome = wire::parse_outcome(answer->body, encoding);
  if (!outcome) {
    return std::unexpected(wire::ErrorBody{
        "bad_answer", "the answer of " + options.server + " is not understood: " + outcome.error().text(), ""});
  }
  return Answer{std::move(answer->body), std::move(*outcome)};
}

}  // namespace outrigger::cli
