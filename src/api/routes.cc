#include "api/routes.h"

#include <algorithm>
#include <optional>

#include "api/error_response.h"
#include "base/utf8.h"

namespace outrigger::api {
namespace {

constexpr std::size_t kMaxEcho = 100;

std::string echoed(std::string_view text) { return base::to_utf8(text.substr(0, kMaxEcho)); }

// What `path` has in the place of the pattern's parameter, "" where the pattern has none; nothing where they differ.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
  if (!pattern.ends_with('}')) return pattern == path ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view prefix = pattern.substr(0, pattern.find('{'));
  if (!path.starts_with(prefix)) return std::nullopt;
  const std::string_view rest = path.substr(prefix.size());
  if (rest.empty() || rest.find('/') != std::string_view::npos) return std::nullopt;
  return rest;
}

template <typename Each>
struct Found {
  const Each* route;
  std::string_view parameter;
};

// The first of `routes` with this path and method; else the methods that the path has there are added to `allowed`.
template <typename Each, std::size_t kCount>
std::optional<Found<Each>> look_up(const std::array<Each, kCount>& routes, std::string_view method,
                                   std::string_view path, std::string& allowed) {
  for (const Each& route : routes) {
    const auto parameter = match(route.path, path);
    if (!parameter) continue;
    if (route.method == method || (route.method == "GET" && method == "HEAD")) return Found<Each>{&route, *parameter};
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method) + (route.method == "GET" ? ", HEAD" : "");
  }
  return std::nullopt;
}

}  // namespace

std::string_view pattern_of(std::string_view path) {
  for (const Route& route : kRoutes) {
    if (match(route.path, path)) return route.path;
  }
  for (const ForeignRoute& route : kForeignRoutes) {
    if (match(route.path, path)) return route.path;
  }
  return "none";
}

bool is_open(std::string_view path) {
  return std::ranges::any_of(kRoutes, [path](const Route& route) { return route.open && route.path == path; });
}

std::expected<Match, Response> find_route(std::string_view method, std::string_view path) {
  std::string allowed;
  if (const auto found = look_up(kRoutes, method, path, allowed)) {
    return Match{found->route->endpoint, Foreign::kNone, std::string(found->parameter)};
  }
  if (const auto found = look_up(kForeignRoutes, method, path, allowed)) {
    return Match{Endpoint::kForeign, found->route->endpoint, std::string(found->parameter)};
  }
  if (allowed.empty()) {
    return std::unexpected(
        error_response(Problem::kNotFound, "there is no " + echoed(path) + "; see /openapi.json for what there is"));
  }
  Response response = error_response(Problem::kMethodNotAllowed,
                                     echoed(path) + " does not answer " + echoed(method) + "; it answers " + allowed);
  response.headers.emplace_back("Allow", allowed);
  return std::unexpected(std::move(response));
}

}  // namespace outrigger::api
