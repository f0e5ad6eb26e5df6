#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "api/foreign_handlers.h"
#include "api/text_pieces.h"
#include "piston/request.h"
#include "piston/result.h"
#include "wire/fields.h"
#include "wire/json_tree.h"

namespace outrigger::api {
namespace {

Response refusal(int status, std::string_view message) {
  Response response;
  response.status = status;
  response.body = piston::refusal_json(message);
  return response;
}

// Keeps a job's output as its outcome would have it, and besides both streams in the order in which they came.
class OrderedOutput final : public run::Follower {
 public:
  void started(const std::string& /*job_id*/) override {}
  void wrote(run::Stream stream, std::string_view bytes) override {
    const bool is_stdout = stream == run::Stream::kStdout;
    (is_stdout ? stdout_ : stderr_) += bytes;
    both_ += (is_stdout ? stdout_text_ : stderr_text_).next(bytes);
  }

  // Gives the outcome its streams; both as text.
  std::string finish(model::Outcome& outcome) {
    both_ += stdout_text_.last(outcome.stdout_stream.truncated);
    both_ += stderr_text_.last(outcome.stderr_stream.truncated);
    if (!model::did_not_compile(outcome)) {
      outcome.stdout_stream.data = std::move(stdout_);
      outcome.stderr_stream.data = std::move(stderr_);
    }
    return std::move(both_);
  }

 private:
  std::string stdout_;
  std::string stderr_;
  std::string both_;
  TextPieces stdout_text_;
  TextPieces stderr_text_;
};

}  // namespace

boost::asio::awaitable<Response> ForeignHandlers::piston_execute(ForeignRequest request,
                                                                 run::Cancellation& cancellation) {
  auto parsed =
      piston::parse_request(request.body, request.tenant(), services_.pool.runtimes(), rules_.of(request.tenant()));
  const tenants::Caller caller = std::move(request.caller);
  request = ForeignRequest();  // a job may wait and run for long; its text is held once
  if (!parsed) co_return refusal(parsed.error().status, parsed.error().message);
  const piston::Runtime runtime = std::move(parsed->runtime);
  note_caller(parsed->job, caller);
  OrderedOutput output;
  const run::Attendance attendance(cancellation, &output);
  auto outcome = co_await handlers_.run(std::move(parsed->job), attendance);
  if (!outcome) co_return in_dialect(Dialect::kPiston, std::move(outcome.error()));
  Response response;
  const std::string both = output.finish(*outcome);
  response.body = piston::result_json(*outcome, runtime, both);
  co_return response;
}

// Piston's clients install languages over the network. Here they are the operator's, who builds images as root.
Response ForeignHandlers::piston_change_packages(const std::string& body) const {
  const auto object = wire::parse_object(body, "the request body");
  if (!object) return refusal(400, object.error().message);
  wire::Refusal ignored;
  const wire::Fields fields(*object, "", ignored);
  const std::string language(fields.optional_text("language"));
  const std::string version(fields.optional_text("version"));
  for (const model::InstalledRuntime& each : services_.pool.runtimes()) {
    if (each.runtime.name != language) continue;
    return refusal(403, "packages are the operator's here: outrigger runtime build " + language);
  }
  return refusal(404, "Requested package " + language + "-" + version + " does not exist");
}

}  // namespace outrigger::api
