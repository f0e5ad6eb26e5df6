#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ledger/item.h"

namespace outrigger::ledger {

// The hashes of the chain's last lines: enough to tell a copy from a forgery, in bounded memory.
class Recent {
 public:
  void put(std::uint64_t seq, const Hash& hash) {
    const std::size_t at = seq % kKept;
    if (at >= entries_.size()) entries_.resize(at + 1);
    entries_[at] = {seq, hash};
  }
  [[nodiscard]] std::optional<Hash> find(std::uint64_t seq) const {
    const std::size_t at = seq % kKept;
    if (at >= entries_.size() || entries_[at].seq != seq) return std::nullopt;
    return entries_[at].hash;
  }

 private:
  struct Entry {
    std::uint64_t seq = 0;
    Hash hash{};
  };
  static constexpr std::size_t kKept = 65536;
  std::vector<Entry> entries_;
};

}  // namespace outrigger::ledger
