#pragma once

#include <array>
#include <expected>
#include <string>
#include <string_view>

#include "api/foreign_routes.h"
#include "api/message.h"
#include "tenants/caller.h"

namespace outrigger::api {

enum class Endpoint {
  kExecute,
  kHealth,
  kLanguages,
  kReadDispatch,
  kWriteDispatch,
  kOpenApi,
  kMetrics,
  kListRuns,
  kReadRun,
  kCancelRun,
  kBatch,
  kSubmitJob,
  kReadJob,
  kInteractive,
  kForeign,  // of another API: see Match::foreign
};

struct Route {
  std::string_view path;  // may end in a parameter: "/api/v1/runs/{job_id}"
  std::string_view method;
  Endpoint endpoint;
  bool open = false;  // answered without a token: says nothing about tenants and starts nothing
};

// A GET route answers HEAD too.
inline constexpr std::array<Route, 14> kRoutes{{
    {"/api/v1/execute", "POST", Endpoint::kExecute},
    {"/health", "GET", Endpoint::kHealth, true},
    {"/api/v1/languages", "GET", Endpoint::kLanguages},
    {"/api/v1/dispatch", "GET", Endpoint::kReadDispatch},
    {"/api/v1/dispatch", "PUT", Endpoint::kWriteDispatch},
    {"/openapi.json", "GET", Endpoint::kOpenApi, true},
    {"/metrics", "GET", Endpoint::kMetrics, true},
    {"/api/v1/runs", "GET", Endpoint::kListRuns},
    {"/api/v1/runs/{job_id}", "GET", Endpoint::kReadRun},
    {"/api/v1/runs/{job_id}", "DELETE", Endpoint::kCancelRun},
    {"/api/v1/batch", "POST", Endpoint::kBatch},
    {"/api/v1/jobs", "POST", Endpoint::kSubmitJob},
    {"/api/v1/jobs/{job_id}", "GET", Endpoint::kReadJob},
    {"/api/v1/interactive", "GET", Endpoint::kInteractive},
}};

// The pattern of the routes that have this path; "none" where none has. Unlike a path, one of a few.
std::string_view pattern_of(std::string_view path);

// Whether anybody may ask for this path.
bool is_open(std::string_view path);

struct Match {
  Endpoint endpoint = Endpoint::kHealth;
  Foreign foreign = Foreign::kNone;
  std::string parameter;  // the path's last segment, where the route has one for it
  tenants::Caller caller = {};
};

// The endpoint, or the answer 404 or 405 with Allow.
std::expected<Match, Response> find_route(std::string_view method, std::string_view path);

}  // namespace outrigger::api
