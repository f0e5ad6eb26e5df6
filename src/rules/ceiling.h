#pragma once

#include <cstdint>
#include <optional>

#include "probe/reading.h"
#include "wire/termination.h"

namespace outrigger::rules {

// Whose memory was used up when the kernel killed in a job's group.
enum class Ceiling : std::uint8_t {
  kOwn,      // the job's own limit
  kAbove,    // that of a group above it, or the host's memory
  kUnknown,  // this kernel does not tell
};

Ceiling ceiling_of(const probe::Reading& reading, std::optional<std::uint64_t> card_limit);
Ceiling ceiling_of(const wire::Termination& summary, std::optional<std::uint64_t> card_limit);

// The kernel's OOM kills in a job's group, by who has counted the most of them; by the auditor where both are equal.
struct MemoryKills {
  std::uint64_t count = 0;  // 0: none, or neither witness knows
  Ceiling ceiling = Ceiling::kUnknown;
  bool by_reading = false;  // the auditor itself has read them all
};

// Either witness may be missing. `card_limit` is the job's memory limit where its card was seen.
MemoryKills memory_kills(const probe::Reading* reading, const wire::Termination* summary,
                         std::optional<std::uint64_t> card_limit);

}  // namespace outrigger::rules
