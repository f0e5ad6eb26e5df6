#include "cli/print.h"
#include "cli/remote.h"
#include "cli/request.h"
#include "cli/verbs.h"
#include "wire/job_status.h"
#include "wire/json_writer.h"

namespace outrigger::cli {
namespace {

// The body of an execute request is one of a job's too; what a job has beside it goes in front.
std::string with_callback(std::string body, const std::string& url) {
  if (url.empty()) return body;
  wire::JsonWriter writer;
  writer.begin_object().key("callback_url").text(url);
  return writer.take() + "," + body.substr(1);
}

}  // namespace

int perform(const SubmitOptions& options) {
  const bool json = options.run.json;
  const auto program = read_program(options.run);
  if (!program) return fail({"invalid_request", program.error(), ""}, json);
  if (std::string refused = not_text(*program); !refused.empty()) {
    return fail({"invalid_request", std::move(refused), ""}, json);
  }
  std::string body =
      with_callback(request_body(options.run, *program, options.run.json_encoding), options.callback_url);
  const auto answer =
      ask(options.run.remote, http::Method::kPost, "/api/v1/jobs", std::move(body), options.idempotency_key);
  if (!answer) return fail(answer.error(), json);
  if (json) return print_line(*answer);
  const auto status = wire::parse_job_status(*answer);
  if (!status) return fail({"bad_answer", status.error().text(), ""}, json);
  return print_line(status->job_id);
}

}  // namespace outrigger::cli
