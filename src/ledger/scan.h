#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"
#include "ledger/query.h"
#include "ledger/segments.h"

// One file of a ledger, read line by line.
namespace outrigger::ledger {

base::Result<base::UniqueFd> open_for_reading(int dir, const Segment& segment);

// False if the callback ended it.
base::Result<bool> scan(int dir, const Segment& segment, Order order, const LineCallback& callback);

// When the first or the last line was recorded, as it is written, of those that can be read; empty if there is none.
base::Result<std::string> recorded_at(int dir, const Segment& segment, Order which_first);

}  // namespace outrigger::ledger
