#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace outrigger::ledger {

enum class FaultKind {
  kEdited,         // a line is not what its hash, or its successor, says
  kRemoved,        // lines are missing
  kInserted,       // a line that is not of the chain
  kReordered,      // a line of the chain, elsewhere than it belongs
  kDuplicated,     // a line of the chain, once more
  kTorn,           // no newline behind the last line of a file; in the newest, a writer may be at work
  kMalformed,      // a line, or a file's name, is not of a ledger's form
  kAnchorMissing,  // no line has the hash that was noted
};

// "edited"
std::string_view fault_name(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::kEdited;
  std::string file;        // empty where it is none's: an anchor, lines after the end
  std::uint64_t line = 0;  // within the file, from 1
  std::uint64_t seq = 0;   // of the line it is about, or the first missing one; 0 if it isn't known
  std::string sentence;
};

}  // namespace outrigger::ledger
