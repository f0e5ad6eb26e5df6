#pragma once

#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::ledger {

// The right to write to a ledger: an exclusive flock(2) on <name>.lock, held as long as the descriptor is open and
// gone with its process. Error: kConflict with who holds it, kSystem. The file stays, with the last holder's pid.
base::Result<base::UniqueFd> lock_for_writing(int dir, std::string_view name);

}  // namespace outrigger::ledger
