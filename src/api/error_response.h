#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "api/message.h"
#include "base/error.h"
#include "wire/request_error.h"

namespace outrigger::api {

// Everything that can be wrong with a request beyond its content.
enum class Problem {
  kInvalidRequest,
  kUnauthorized,
  kForbidden,
  kForbiddenHost,
  kNotFound,
  kMethodNotAllowed,
  kRequestTimeout,
  kConflict,
  kPayloadTooLarge,
  kUnsupportedMediaType,
  kExpectationFailed,
  kUnsupported,
  kUpgradeRequired,
  kRateLimited,  // Retry-After as the quota has it
  kTooManyJobs,
  kHeadTooLarge,
  kPoolExhausted,
  kDispatchPaused,
  kRuntimeUnavailable,
  kUnavailable,
  kServerBusy,
  kShuttingDown,
  kSystemFailure,
  kInternalError,
};

// How a problem is told: the one table from which every error answer is made, and which the OpenAPI document is tested
// against.
struct ProblemEntry {
  Problem problem;
  int status;
  std::string_view code;
  int retry_after;  // seconds; 0: none
};
const ProblemEntry& entry(Problem problem);
std::string_view problem_codes(std::size_t index);  // "" past the end

Problem problem_of(base::Code code);

Response error_response(Problem problem, std::string_view message, std::string_view field = {});
Response error_response(const wire::RequestError& error);

// For a fault of ours, which goes to the log as `event`.
Response mistake(std::string_view event, const std::exception& error);

}  // namespace outrigger::api
