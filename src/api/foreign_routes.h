#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "api/message.h"

namespace outrigger::api {

// Whose API a path belongs to: errors are told in that API's form.
enum class Dialect : std::uint8_t { kOurs, kPiston, kJudge0, kMcp };

// What the routes of other APIs ask for.
enum class Foreign : std::uint8_t {
  kNone,
  kPistonRuntimes,
  kPistonExecute,
  kPistonConnect,
  kPistonPackages,
  kPistonChangePackages,
  kJudge0Create,
  kJudge0CreateBatch,
  kJudge0Read,
  kJudge0ReadBatch,
  kJudge0List,
  kJudge0Delete,
  kJudge0Languages,
  kJudge0AllLanguages,
  kJudge0Language,
  kJudge0Statuses,
  kJudge0About,
  kJudge0Version,
  kJudge0Config,
  kJudge0Workers,
  kMcp,
};

struct ForeignRoute {
  std::string_view path;  // may end in a parameter, as a Route's
  std::string_view method;
  Foreign endpoint;
};

// Of two that match, the first holds. A GET route answers HEAD too. Piston's stand under the path that it has by
// itself, and under the one that its public instance has.
inline constexpr std::array<ForeignRoute, 27> kForeignRoutes{{
    {"/api/v2/runtimes", "GET", Foreign::kPistonRuntimes},
    {"/api/v2/execute", "POST", Foreign::kPistonExecute},
    {"/api/v2/connect", "GET", Foreign::kPistonConnect},
    {"/api/v2/packages", "GET", Foreign::kPistonPackages},
    {"/api/v2/packages", "POST", Foreign::kPistonChangePackages},
    {"/api/v2/packages", "DELETE", Foreign::kPistonChangePackages},
    {"/api/v2/piston/runtimes", "GET", Foreign::kPistonRuntimes},
    {"/api/v2/piston/execute", "POST", Foreign::kPistonExecute},
    {"/api/v2/piston/connect", "GET", Foreign::kPistonConnect},
    {"/api/v2/piston/packages", "GET", Foreign::kPistonPackages},
    {"/api/v2/piston/packages", "POST", Foreign::kPistonChangePackages},
    {"/api/v2/piston/packages", "DELETE", Foreign::kPistonChangePackages},
    {"/submissions", "POST", Foreign::kJudge0Create},
    {"/submissions", "GET", Foreign::kJudge0List},
    {"/submissions/batch", "POST", Foreign::kJudge0CreateBatch},
    {"/submissions/batch", "GET", Foreign::kJudge0ReadBatch},
    {"/submissions/{token}", "GET", Foreign::kJudge0Read},
    {"/submissions/{token}", "DELETE", Foreign::kJudge0Delete},
    {"/languages", "GET", Foreign::kJudge0Languages},
    {"/languages/all", "GET", Foreign::kJudge0AllLanguages},
    {"/languages/{id}", "GET", Foreign::kJudge0Language},
    {"/statuses", "GET", Foreign::kJudge0Statuses},
    {"/about", "GET", Foreign::kJudge0About},
    {"/version", "GET", Foreign::kJudge0Version},
    {"/config_info", "GET", Foreign::kJudge0Config},
    {"/workers", "GET", Foreign::kJudge0Workers},
    {"/mcp", "POST", Foreign::kMcp},
}};

Dialect dialect_of(std::string_view path);

// Whether it is to run something.
bool asks_for_jobs(Foreign endpoint);

// An error's answer, as error_response() makes it, in the form of the API it is for: its status, its header fields and
// its sentence stay.
Response in_dialect(Dialect dialect, Response response);

}  // namespace outrigger::api
