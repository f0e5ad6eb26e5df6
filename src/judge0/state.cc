#include "judge0/state.h"

#include "wire/error_json.h"
#include "wire/outcome_json.h"

namespace outrigger::judge0 {
namespace {

Verdict verdict_in(std::string_view result, const Kept& kept) {
  if (const auto error = wire::parse_error(result)) return internal_error(error->message);
  const auto outcome = wire::parse_outcome(result, model::OutputEncoding::kBase64);
  if (!outcome) return internal_error("the queue's result can't be read");
  return verdict_of(*outcome, kept);
}

}  // namespace

std::optional<State> state_of(const wire::JobStatus& status) {
  State state;
  const bool final = status.state == "finished" || status.state == "dead";
  state.verdict.status = status.state == "running" ? kProcessing : kInQueue;
  if (!final && status.entry.empty()) return state;
  auto kept = parse_kept(wire::annotation_of(final ? status.result : status.entry));
  if (!kept) return std::nullopt;
  state.kept = std::move(*kept);
  if (final) state.verdict = verdict_in(status.result, state.kept);
  return state;
}

std::optional<std::string> callback_body(std::string_view job_id, std::string_view result) {
  const auto kept = parse_kept(wire::annotation_of(result));
  if (!kept) return std::nullopt;
  const auto view = read_view("", true);
  auto body = submission_json(token_of(job_id), *kept, verdict_in(result, *kept), *view);
  return body ? std::optional(std::move(*body)) : std::nullopt;
}

}  // namespace outrigger::judge0
