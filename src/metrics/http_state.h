#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "pool/job_counters.h"

namespace outrigger::metrics {

// What the HTTP server counts. Nothing that a caller makes up is a key.
struct HttpState {
  struct Answer {
    std::string route;        // its pattern, never a path that somebody sent
    std::string_view method;  // of known_method()
    int status;
    auto operator<=>(const Answer&) const = default;
  };

  // `route`: of a closed list. `took`: from the request's head to its answer; absent where no head could be read.
  void add(std::string_view route, std::string_view method, int status, std::optional<std::chrono::microseconds> took);

  std::map<Answer, std::uint64_t> answers;
  std::map<std::string, pool::Histogram, std::less<>> durations;  // by route
  std::size_t connections = 0;                                    // open now
};

// A method that HTTP has (RFC 9110, 9; RFC 5789); "other" for what somebody made up, "none" where none could be read.
std::string_view known_method(std::string_view method);

}  // namespace outrigger::metrics
