#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string_view>

namespace outrigger::api {

// The log's lines for requests that were refused for who sent them or how many there are: 401, 403, 429. A line a
// second and status at most, which says how many there were since the one before: who sends millions fills no disk.
class RefusalLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `route`: the pattern, never the path that was sent.
  void answered(int status, std::string_view route, Time now);

 private:
  struct Said {
    Time at{};
    std::uint64_t since = 0;
  };
  std::map<int, Said> said_;
};

}  // namespace outrigger::api
