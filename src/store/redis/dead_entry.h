#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace outrigger::store_redis {

// So much of an entry is kept among the dead.
inline constexpr std::size_t kDeadEntryBytes = 4096;

struct DeadEntry {
  std::string_view job_id;  // empty: unknown
  std::string_view reason;
  std::uint32_t attempts = 0;
  std::chrono::system_clock::time_point at;
  std::string_view worker;  // who gave it up
  std::string_view entry;   // or its beginning; any bytes
  std::size_t entry_bytes = 0;
};

// The element of the dead list: {"job_id": …|null, "reason", "attempts", "at", "worker", "entry", "entry_bytes"}; of
// the entry at most kDeadEntryBytes, in valid UTF-8.
std::string dead_entry_text(const DeadEntry& dead);

}  // namespace outrigger::store_redis
