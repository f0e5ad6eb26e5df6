#include "api/foreign_routes.h"

#include <algorithm>

#include "judge0/errors.h"
#include "mcp/json_rpc.h"
#include "piston/request.h"
#include "wire/error_json.h"

namespace outrigger::api {
namespace {

constexpr int kUnsupportedMediaType = 415;
constexpr int kNotFound = 404;
constexpr int kUnauthorized = 401;

// What those APIs themselves say where they have a sentence of their own, for clients that look at it.
std::string piston_sentence(int status, const std::string& ours) {
  if (status == kUnsupportedMediaType) return "requests must be of type application/json";
  if (status == kNotFound) return "Not Found";
  return ours;
}

}  // namespace

bool asks_for_jobs(Foreign endpoint) {
  return endpoint == Foreign::kPistonExecute || endpoint == Foreign::kJudge0Create ||
         endpoint == Foreign::kJudge0CreateBatch || endpoint == Foreign::kMcp;
}

Dialect dialect_of(std::string_view path) {
  if (path == "/mcp") return Dialect::kMcp;
  if (path.starts_with("/api/v2/")) return Dialect::kPiston;
  for (const std::string_view place :
       {"/submissions", "/languages", "/statuses", "/about", "/version", "/config_info", "/workers"}) {
    if (path == place || (path.starts_with(place) && path.substr(place.size()).starts_with('/'))) {
      return Dialect::kJudge0;
    }
  }
  return Dialect::kOurs;
}

Response in_dialect(Dialect dialect, Response response) {
  if (dialect == Dialect::kOurs) return response;
  const auto error = wire::parse_error(response.body);
  if (!error) return response;
  switch (dialect) {
    case Dialect::kOurs: break;
    case Dialect::kPiston:
      response.body = piston::refusal_json(piston_sentence(response.status, error->message));
      break;
    case Dialect::kJudge0:
      response.body = response.status == kUnauthorized ? "" : judge0::error_json(error->message);
      break;
    case Dialect::kMcp: response.body = mcp::error_json(mcp::kNoId, mcp::kInvalidRequest, error->message); break;
  }
  return response;
}

}  // namespace outrigger::api
