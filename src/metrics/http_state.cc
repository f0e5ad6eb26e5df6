#include "metrics/http_state.h"

#include <algorithm>
#include <array>

namespace outrigger::metrics {
namespace {

constexpr std::array<std::string_view, 9> kMethods{"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                   "CONNECT", "OPTIONS", "TRACE", "PATCH"};
// The control routes take a tenth of a millisecond, jobs up to their wall clock.
constexpr auto kDurations =
    std::to_array({0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0});

}  // namespace

std::string_view known_method(std::string_view method) {
  if (method.empty()) return "none";
  const auto* const known = std::ranges::find(kMethods, method);
  return known == kMethods.end() ? "other" : *known;
}

void HttpState::add(std::string_view route, std::string_view method, int status,
                    std::optional<std::chrono::microseconds> took) {
  ++answers[{std::string(route), known_method(method), status}];
  if (!took) return;
  auto place = durations.find(route);
  if (place == durations.end()) place = durations.emplace(route, pool::Histogram(kDurations)).first;
  place->second.observe(*took);
}

}  // namespace outrigger::metrics
