#include "api/feed_guard.h"

#include <algorithm>

namespace outrigger::api {

std::optional<wire::RequestError> FeedGuard::feed(std::size_t bytes, std::size_t pending) {
  if (bytes > kMaxTotal - std::min(total_, kMaxTotal)) {
    return wire::RequestError{base::Code::kTooLarge, "data",
                              "stdin may have " + std::to_string(kMaxTotal) + " bytes in all; send less"};
  }
  if (bytes > kMaxPending - std::min(pending, kMaxPending)) {
    return wire::RequestError{base::Code::kTooLarge, "data",
                              "the program has not read " + std::to_string(pending) + " bytes yet, and " +
                                  std::to_string(kMaxPending) + " may wait; send more slowly"};
  }
  total_ += bytes;
  return std::nullopt;
}

std::optional<wire::RequestError> FeedGuard::control(Clock::time_point now) {
  full_at_ = std::max(full_at_, now) + kOneIn;
  if (full_at_ - now <= kBurst * kOneIn) return std::nullopt;
  return wire::RequestError{
      base::Code::kInvalid, "type",
      "more than " + std::to_string(kBurst) + " messages a second that are no stdin; send them more slowly"};
}

}  // namespace outrigger::api
