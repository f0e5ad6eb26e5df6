#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ledger/item.h"

namespace outrigger::ledger {

// Lines that were not where they belong.
struct Gap {
  std::uint64_t first = 0;  // seq
  std::uint64_t last = 0;
  std::optional<Hash> below;  // the hash of the line before the first, if it is known
  Hash above{};               // the `prev` of the line after the last
  Place place;                // of the line after the last
  bool at_beginning = false;  // of the ledger
};

// The gaps seen so far, which lines that come late may fill.
class Gaps {
 public:
  // False if there are too many to be kept.
  bool open(const Gap& gap);
  // Whether the line belongs into one of them, by its number and by its neighbours' hashes. Then the gap is what is
  // left of it.
  bool fill(const Item& item);
  [[nodiscard]] const std::vector<Gap>& left() const { return gaps_; }

 private:
  static constexpr std::size_t kMax = 4096;
  std::vector<Gap> gaps_;
};

}  // namespace outrigger::ledger
