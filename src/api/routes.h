#pragma once

#include <array>
#include <expected>
#include <string_view>

#include "api/message.h"

namespace outrigger::api {

enum class Endpoint { kExecute, kHealth, kLanguages, kReadDispatch, kWriteDispatch, kOpenApi, kMetrics };

struct Route {
  std::string_view path;
  std::string_view method;
  Endpoint endpoint;
  bool open = false;  // answered without a token: says nothing about tenants and starts nothing
};

// A GET route answers HEAD too.
inline constexpr std::array<Route, 7> kRoutes{{
    {"/api/v1/execute", "POST", Endpoint::kExecute},
    {"/health", "GET", Endpoint::kHealth, true},
    {"/api/v1/languages", "GET", Endpoint::kLanguages},
    {"/api/v1/dispatch", "GET", Endpoint::kReadDispatch},
    {"/api/v1/dispatch", "PUT", Endpoint::kWriteDispatch},
    {"/openapi.json", "GET", Endpoint::kOpenApi, true},
    {"/metrics", "GET", Endpoint::kMetrics, true},
}};

// The pattern of the routes that have this path; "none" where none has. Unlike a path, one of a few.
std::string_view pattern_of(std::string_view path);

// Whether anybody may ask for this path.
bool is_open(std::string_view path);

// The endpoint, or the answer 404 or 405 with Allow.
std::expected<Endpoint, Response> find_route(std::string_view method, std::string_view path);

}  // namespace outrigger::api
