#include "ledger/gaps.h"

#include <algorithm>

namespace outrigger::ledger {

bool Gaps::open(const Gap& gap) {
  if (gaps_.size() >= kMax) return false;
  gaps_.push_back(gap);
  return true;
}

bool Gaps::fill(const Item& item) {
  const auto found =
      std::ranges::find_if(gaps_, [&](const Gap& gap) { return gap.first <= item.seq && item.seq <= gap.last; });
  if (found == gaps_.end()) return false;
  Gap& gap = *found;
  const bool lowest = item.seq == gap.first;
  const bool highest = item.seq == gap.last;
  if (lowest && gap.below && *gap.below != item.prev) return false;
  if (highest && gap.above != item.hash) return false;
  if (!lowest && !highest && gaps_.size() >= kMax) return false;

  Gap upper = gap;
  upper.first = item.seq + 1;
  upper.below = item.hash;
  gap.last = item.seq - 1;
  gap.above = item.prev;
  if (lowest) {
    gap = upper;
  } else if (!highest) {
    gaps_.push_back(upper);
    return true;
  }
  if (lowest && highest) gaps_.erase(found);
  return true;
}

}  // namespace outrigger::ledger
