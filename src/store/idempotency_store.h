#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/error.h"

namespace outrigger::store {

// What is known of an Idempotency-Key.
struct KeyClaim {
  enum class State {
    kClaimed,    // it was free and is now the claimant's
    kPending,    // its first request is still being worked on
    kAnswered,   // `answer` is what the first request got
    kOtherBody,  // it was used with another request
  };
  State state = State::kClaimed;
  std::string answer;
};

// Keys and the answers given under them. Blocking, for one thread at a time; errors as AuditStore's.
class IdempotencyStore {
 public:
  virtual ~IdempotencyStore() = default;

  virtual base::Status open() = 0;
  // `key` is the scope and the key in one text, at most 512 bytes; `fingerprint` is of the request. A claim whose
  // `lease` has run out without an answer is as free as none. `claimant` is unique to this request.
  virtual base::Result<KeyClaim> claim(const std::string& key, const std::string& fingerprint,
                                       const std::string& claimant, std::chrono::milliseconds lease) = 0;
  // Keeps the answer for `lifetime`, where the key is still the claimant's.
  virtual base::Status answer(const std::string& key, const std::string& claimant, std::string_view answer,
                              std::chrono::seconds lifetime) = 0;
  // Frees a key whose request came to nothing.
  virtual base::Status release(const std::string& key, const std::string& claimant) = 0;
  // Forgets what has outlived its lifetime, at most so many; for stores that don't do it by themselves.
  virtual base::Status expire(std::size_t at_most) = 0;
};

}  // namespace outrigger::store
