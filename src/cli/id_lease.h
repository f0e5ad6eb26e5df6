#pragma once

#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::cli {

// A pair of host ids for one local jail, ours as long as the lock is held: no two jails may share an id.
struct IdLease {
  std::uint32_t uid_base = 0;
  base::UniqueFd lock;
};

// The first pair from `first` on that no other command holds. `lock_dir` is made where missing; only root may write it.
base::Result<IdLease> lease_ids(const std::filesystem::path& lock_dir, std::uint32_t first);

}  // namespace outrigger::cli
