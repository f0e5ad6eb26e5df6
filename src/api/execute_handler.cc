#include <algorithm>

#include "api/error_response.h"
#include "api/handlers.h"
#include "base/log.h"
#include "wire/outcome_json.h"

namespace outrigger::api {
namespace {

constexpr std::string_view kShuttingDownText = "the daemon is shutting down; nothing of the job ran";

const model::InstalledRuntime* find_runtime(const std::vector<model::InstalledRuntime>& runtimes,
                                            std::string_view language) {
  for (const model::InstalledRuntime& each : runtimes) {
    if (each.runtime.name == language ||
        std::ranges::find(each.runtime.aliases, language) != each.runtime.aliases.end()) {
      return &each;
    }
  }
  return nullptr;
}

// Gives the job its runtime's own name; the refusal where there is none, or none that can run now.
std::optional<Response> settle_language(model::Job& job, const std::vector<model::InstalledRuntime>& runtimes) {
  const model::InstalledRuntime* found = find_runtime(runtimes, job.language);
  if (found == nullptr) {
    std::string known;
    for (const model::InstalledRuntime& each : runtimes) known += (known.empty() ? "" : ", ") + each.runtime.name;
    return error_response(Problem::kInvalidRequest, "language is not one of: " + known, "language");
  }
  const model::Runtime& runtime = found->runtime;
  if (found->image_path.empty()) {
    return error_response(Problem::kRuntimeUnavailable,
                          "the root file system \"" + runtime.image + "\" that " + runtime.name +
                              " runs in has not been built; its operator does that with: outrigger runtime build " +
                              runtime.name,
                          "language");
  }
  job.language = runtime.name;
  for (std::size_t i = 0; i < job.files.size(); ++i) {
    const std::string& path = job.files[i].path;
    if (path != runtime.source_file && !path.starts_with(runtime.source_file + "/")) continue;
    const std::string field = "files[" + std::to_string(i) + "].path";
    return error_response(Problem::kInvalidRequest,
                          field + " must not be " + runtime.source_file + ": code is laid there", field);
  }
  return std::nullopt;
}

// What the pool says before anything ran. The step and its context are for the log, not for the caller.
Response refusal(const base::Error& error) {
  const Problem problem = problem_of(error.code);
  switch (problem) {
    case Problem::kPoolExhausted:
      return error_response(problem, "all slots are busy and none became free in time; try again later");
    case Problem::kDispatchPaused:
      return error_response(problem, "dispatch is paused" + (error.context.empty() ? "" : ": " + error.context) +
                                         "; see GET /api/v1/dispatch");
    case Problem::kNotFound:
      return error_response(Problem::kRuntimeUnavailable, "the language's runtime is not available now", "language");
    case Problem::kShuttingDown: return error_response(problem, kShuttingDownText);
    default:
      base::log(base::Level::kError, "job_refused", {{"error", error.text()}});
      return error_response(problem, "the job could not be started (" + error.step + "); nothing of it ran");
  }
}

}  // namespace

boost::asio::awaitable<Response> Handlers::execute(std::string body, run::Cancellation& cancellation) {
  if (shutting_down_) co_return error_response(Problem::kShuttingDown, kShuttingDownText);
  auto parsed = wire::parse_execute_request(body, rules_);
  if (!parsed) co_return error_response(parsed.error());
  body = std::string();  // a job may wait and run for long; its text is held once
  model::Job job = std::move(*parsed);
  if (auto refused = settle_language(job, service_.runtimes())) co_return std::move(*refused);
  const model::OutputEncoding encoding = job.output_encoding;
  const base::Result<model::Outcome> outcome = co_await service_.execute(std::move(job), cancellation);
  if (!outcome && shutting_down_) co_return error_response(Problem::kShuttingDown, kShuttingDownText);
  if (!outcome) co_return refusal(outcome.error());
  Response response;
  response.body = wire::outcome_to_json(*outcome, encoding);
  co_return response;
}

}  // namespace outrigger::api
