#pragma once

#include "rules/sight.h"

namespace outrigger::rules {

enum class Population : std::uint8_t { kEmpty, kPopulated, kUnknown };

// Whether a process is left in the job's group: by its members where those were looked at, and by the kernel's count.
inline Population population_of(const Sight& sight) {
  const bool listed = sight.members != nullptr;
  const bool counted = sight.now != nullptr && sight.now->pids;
  if ((listed && sight.members->count > 0) || (counted && *sight.now->pids > 0)) return Population::kPopulated;
  return listed || counted ? Population::kEmpty : Population::kUnknown;
}

}  // namespace outrigger::rules
