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

Answered run_remote(const RunOptions& options, const Program& program, model::OutputEncoding encoding) {
  if (std::string refused = not_text(program); !refused.empty()) {
    return std::unexpected(wire::ErrorBody{"invalid_request", std::move(refused), ""});
  }
  auto answer = ask(options.remote, http::Method::kPost, "/api/v1/execute", request_body(options, program, encoding),
                    {}, patience(options));
  if (!answer) return std::unexpected(answer.error());
  auto outcome = wire::parse_outcome(*answer, encoding);
  if (!outcome) {
    return std::unexpected(wire::ErrorBody{
        "bad_answer", "the answer of " + options.remote.server + " is not understood: " + outcome.error().text(), ""});
  }
  return Answer{std::move(*answer), std::move(*outcome)};
}

}  // namespace outrigger::cli
