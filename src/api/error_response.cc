#include "api/error_response.h"

#include <array>

#include "base/log.h"
#include "wire/error_json.h"

namespace outrigger::api {
namespace {

// In the order of Problem.
constexpr std::array<ProblemEntry, 24> kTable{{
    {Problem::kInvalidRequest, 400, "invalid_request", 0},
    {Problem::kUnauthorized, 401, "unauthorized", 0},
    {Problem::kForbidden, 403, "forbidden", 0},
    {Problem::kForbiddenHost, 403, "forbidden_host", 0},
    {Problem::kNotFound, 404, "not_found", 0},
    {Problem::kMethodNotAllowed, 405, "method_not_allowed", 0},
    {Problem::kRequestTimeout, 408, "request_timeout", 0},
    {Problem::kConflict, 409, "conflict", 0},
    {Problem::kPayloadTooLarge, 413, "payload_too_large", 0},
    {Problem::kUnsupportedMediaType, 415, "unsupported_media_type", 0},
    {Problem::kExpectationFailed, 417, "expectation_failed", 0},
    {Problem::kUnsupported, 422, "unsupported", 0},
    {Problem::kUpgradeRequired, 426, "upgrade_required", 0},
    {Problem::kRateLimited, 429, "rate_limited", 0},
    {Problem::kTooManyJobs, 429, "too_many_jobs", 1},
    {Problem::kHeadTooLarge, 431, "headers_too_large", 0},
    {Problem::kPoolExhausted, 503, "pool_exhausted", 1},
    {Problem::kDispatchPaused, 503, "dispatch_paused", 5},
    {Problem::kRuntimeUnavailable, 503, "runtime_unavailable", 0},
    {Problem::kUnavailable, 503, "unavailable", 5},
    {Problem::kServerBusy, 503, "server_busy", 1},
    {Problem::kShuttingDown, 503, "shutting_down", 5},
    {Problem::kSystemFailure, 503, "system_failure", 5},
    {Problem::kInternalError, 500, "internal_error", 0},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable.at(i).problem != static_cast<Problem>(i)) return false;
  }
  return kTable.size() == static_cast<std::size_t>(Problem::kInternalError) + 1;
}
static_assert(in_order());

}  // namespace

const ProblemEntry& entry(Problem problem) { return kTable.at(static_cast<std::size_t>(problem)); }

std::string_view problem_codes(std::size_t index) { return index < kTable.size() ? kTable.at(index).code : ""; }

Problem problem_of(base::Code code) {
  switch (code) {
    case base::Code::kInvalid: return Problem::kInvalidRequest;
    case base::Code::kNotFound: return Problem::kNotFound;
    case base::Code::kConflict: return Problem::kConflict;
    case base::Code::kTooLarge: return Problem::kPayloadTooLarge;
    case base::Code::kUnsupported: return Problem::kUnsupported;
    case base::Code::kExhausted: return Problem::kPoolExhausted;
    case base::Code::kOverQuota: return Problem::kTooManyJobs;
    case base::Code::kPaused: return Problem::kDispatchPaused;
    case base::Code::kUnavailable: return Problem::kUnavailable;
    case base::Code::kTimedOut: return Problem::kRequestTimeout;
    case base::Code::kCancelled: return Problem::kShuttingDown;
    case base::Code::kSystem: return Problem::kSystemFailure;
    case base::Code::kInternal: return Problem::kInternalError;
  }
  return Problem::kInternalError;
}

Response error_response(Problem problem, std::string_view message, std::string_view field) {
  const ProblemEntry& told = entry(problem);
  Response response;
  response.status = told.status;
  response.body = wire::error_to_json({std::string(told.code), std::string(message), std::string(field)});
  if (told.retry_after > 0) response.headers.emplace_back("Retry-After", std::to_string(told.retry_after));
  return response;
}

Response error_response(const wire::RequestError& error) {
  return error_response(problem_of(error.code), error.message, error.field);
}

Response mistake(std::string_view event, const std::exception& error) {
  base::log(base::Level::kError, event, {{"what", error.what()}});
  return error_response(Problem::kInternalError, "the daemon made a mistake; its log says more");
}

}  // namespace outrigger::api
