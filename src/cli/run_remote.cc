#include <algorithm>

#include "base/utf8.h"
#include "cli/answer.h"
#include "cli/remote.h"
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

}  // namespace

std::string not_text(const Program& program) {
  if (!base::is_utf8(program.code)) return "the program is not UTF-8 text, which is all a daemon takes; use --local";
  if (!base::is_utf8(program.stdin_data))
    return "stdin is not UTF-8 text, which is all a daemon takes; use --local, or "
           "lay it into the working directory with --file";
  return {};
}

http::Request execute_request(const RunOptions& options, const Program& program, model::OutputEncoding encoding) {
  http::Request request;
  request.method = http::Method::kPost;
  request.target = "/api/v1/execute";
  request.body = request_body(options, program, encoding);
  request.answer_timeout = patience(options);
  return request;
}

Answered understood(http::Answer& answer, const RunOptions& options, model::OutputEncoding encoding) {
  auto outcome = wire::parse_outcome(answer.body, encoding);
  if (outcome) return Answer{std::move(answer.body), std::move(*outcome)};
  return std::unexpected(wire::ErrorBody{
      "bad_answer", "the answer of " + options.remote.server + " is not understood: " + outcome.error().text(), ""});
}

Answered run_remote(const RunOptions& options, const Program& program, model::OutputEncoding encoding, bool streamed) {
  if (std::string refused = not_text(program); !refused.empty()) {
    return std::unexpected(wire::ErrorBody{"invalid_request", std::move(refused), ""});
  }
  if (streamed) return run_streamed(options, program, encoding);
  auto answer = ask(options.remote, execute_request(options, program, encoding));
  if (!answer) return std::unexpected(answer.error());
  return understood(*answer, options, encoding);
}

}  // namespace outrigger::cli
