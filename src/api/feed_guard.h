#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "base/error.h"
#include "wire/request_error.h"

namespace outrigger::api {

// How much somebody may send to a program that runs.
class FeedGuard {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMaxTotal = 4U << 20;    // bytes of stdin in all, the request's own among them
  static constexpr std::size_t kMaxPending = 1U << 20;  // bytes that the program has not taken
  static constexpr int kBurst = 100;                    // of messages that are no stdin, and as many each second
  static constexpr std::chrono::milliseconds kOneIn{1000 / kBurst};

  // Of the request itself.
  void count(std::size_t bytes) { total_ += bytes; }
  // The refusal of more stdin, while `pending` bytes of it wait.
  std::optional<wire::RequestError> feed(std::size_t bytes, std::size_t pending);
  // The refusal of another message of any other kind, and of an empty stdin.
  std::optional<wire::RequestError> control(Clock::time_point now);

 private:
  std::size_t total_ = 0;
  Clock::time_point full_at_{};  // when there is room for the whole burst again
};

}  // namespace outrigger::api
