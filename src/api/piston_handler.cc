#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "api/foreign_handlers.h"
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
  auto outcome = co_await handlers_.run(std::move(parsed->job), cancellation);
  if (!outcome) co_return in_dialect(Dialect::kPiston, std::move(outcome.error()));
  Response response;
  response.body = piston::result_json(*outcome, runtime);
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
