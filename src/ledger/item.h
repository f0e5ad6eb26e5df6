#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ledger/line.h"

namespace outrigger::ledger {

// Hexadecimal, as it is written: made a number of, it would be compared no faster.
using Hash = std::array<char, kHashDigits>;

inline Hash to_hash(std::string_view text) {
  Hash hash{};
  std::copy_n(text.begin(), std::min(text.size(), hash.size()), hash.begin());
  return hash;
}

inline std::string_view view(const Hash& hash) { return {hash.data(), hash.size()}; }

// Where a line stands.
struct Place {
  std::size_t segment = 0;  // from 0, in the order of their names
  std::uint64_t line = 0;   // from 1
  friend auto operator<=>(const Place&, const Place&) = default;
};

// What the check of a chain needs of a line.
struct Item {
  Place place;
  bool readable = false;        // it has a line's form: what follows is known
  bool sound = false;           // and its hash is its content's
  bool reported = false;        // a fault of it is known already
  std::uint64_t named_seq = 0;  // by the name of the file that it is the first line of; else 0
  std::uint64_t seq = 0;
  Hash prev{};
  Hash hash{};  // as written
};

}  // namespace outrigger::ledger
