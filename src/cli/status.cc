#include <chrono>
#include <thread>

#include "cli/answer.h"
#include "cli/print.h"
#include "cli/remote.h"
#include "cli/verbs.h"
#include "wire/job_status.h"
#include "wire/outcome_json.h"

namespace outrigger::cli {
namespace {

constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{2000};

bool has_ended(const wire::JobStatus& status) { return status.state == "finished" || status.state == "dead"; }

// "finished: completed: exited with status 0", and what the program wrote.
std::string told(const wire::JobStatus& status) {
  std::string text = status.job_id + "  " + std::string(status.state);
  if (status.attempt > 1) text += " (attempt " + std::to_string(status.attempt) + ")";
  if (!status.worker.empty()) text += " on " + status.worker;
  if (status.cancel_requested && !has_ended(status)) text += ", being cancelled";
  if (const auto error = wire::parse_error(status.result)) return text + ": " + error->message;
  auto outcome = wire::parse_outcome(status.result, model::OutputEncoding::kUtf8);
  if (!outcome) return text;
  text += ": " + std::string(model::status_name(outcome->status)) + ": " + outcome->cause.text;
  for (model::CapturedStream* each : {&outcome->stdout_stream, &outcome->stderr_stream}) {
    model::CapturedStream& stream = *each;
    while (stream.data.ends_with('\n')) stream.data.pop_back();
    if (!stream.data.empty()) text += "\n" + stream.data;
  }
  return text;
}

}  // namespace

int perform(const StatusOptions& options) {
  std::chrono::milliseconds pause = kFirstPause;
  for (;;) {
    const auto answer = ask(options.remote, http::Method::kGet, "/api/v1/jobs/" + percent_encoded(options.job_id));
    if (!answer) return fail(answer.error(), options.json);
    const auto status = wire::parse_job_status(*answer);
    if (!status) return fail({"bad_answer", status.error().text(), ""}, options.json);
    if (!options.wait || has_ended(*status)) return print_line(options.json ? *answer : told(*status));
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
}

int perform(const CancelOptions& options) {
  const auto answer = ask(options.remote, http::Method::kDelete, "/api/v1/runs/" + percent_encoded(options.job_id));
  if (!answer) return fail(answer.error(), options.json);
  return print_line(options.json ? *answer : options.job_id + "  is being cancelled");
}

}  // namespace outrigger::cli
