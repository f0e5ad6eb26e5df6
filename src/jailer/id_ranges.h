#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::jailer {

// Host ids for jails that no other jailer on this machine uses at the same time. Ids are leased in granules of
// kJailsPerGranule pairs; a lease is a bound abstract unix socket (unix(7)), so that it ends with its holder whatever
// becomes of it, and leaves no file.
class IdRanges {
 public:
  static constexpr std::uint32_t kJailsPerGranule = 32;
  static constexpr std::uint32_t kGranules = 1024;  // from uid_base on: 65,536 ids

  // Enough for `slots` jails at a time. Error step: host_ids.
  static base::Result<IdRanges> lease(std::uint32_t uid_base, std::uint32_t slots);

  // The first of the two ids of a slot.
  [[nodiscard]] std::uint32_t first_id(std::uint32_t slot) const;

  // Lines for an id map (user_namespaces(7)) in which the first id of slot n is `inside` + kIdsPerJail * n.
  [[nodiscard]] std::string map_lines(std::uint32_t inside) const;

 private:
  std::vector<std::uint32_t> granules_;  // first id of each
  std::vector<base::UniqueFd> leases_;
};

}  // namespace outrigger::jailer
