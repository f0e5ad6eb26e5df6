#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ledger/line.h"
#include "ledger/segment_file.h"

namespace outrigger::ledger {

// Where a ledger ends.
struct Tail {
  // The line that the next one follows: the last that can be read. seq 0 if there is none.
  Head head;
  std::string file;                   // the newest segment; empty if there is none
  std::uint64_t whole_bytes = 0;      // of it up to and with its last newline
  std::uint64_t torn_bytes = 0;       // of it behind that: never acknowledged
  std::string torn_text;              // the first of them, see printable()
  std::optional<std::string> broken;  // a sentence, if the last line is not what its hash says or can't be read
};

// Reads only as much as it takes to find the last sound line. Error: kSystem.
base::Result<Tail> read_tail(int dir, std::string_view name);

// Cuts off what is torn, and has the rest on the disk: a finished line that was never acknowledged counts from now on.
// Error: kSystem.
base::Status settle_tail(int dir, const Tail& tail, const OpenSegment& open);

// At most the first `max` bytes, what is not printable ASCII as \xNN: fit for a log and for JSON.
std::string printable(std::string_view bytes, std::size_t max);

}  // namespace outrigger::ledger
