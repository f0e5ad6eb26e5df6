#include "api/routes.h"

#include <algorithm>

#include "api/error_response.h"
#include "base/utf8.h"

namespace outrigger::api {
namespace {

constexpr std::size_t kMaxEcho = 100;

std::string echoed(std::string_view text) { return base::to_utf8(text.substr(0, kMaxEcho)); }

}  // namespace

std::string_view pattern_of(std::string_view path) {
  const auto* const found = std::ranges::find(kRoutes, path, &Route::path);
  return found == kRoutes.end() ? "none" : found->path;
}

bool is_open(std::string_view path) {
  return std::ranges::any_of(kRoutes, [path](const Route& route) { return route.open && route.path == path; });
}

std::expected<Endpoint, Response> find_route(std::string_view method, std::string_view path) {
  std::string allowed;
  for (const Route& route : kRoutes) {
    if (route.path != path) continue;
    if (route.method == method || (route.method == "GET" && method == "HEAD")) return route.endpoint;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method) + (route.method == "GET" ? ", HEAD" : "");
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
