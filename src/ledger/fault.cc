#include "ledger/fault.h"

namespace outrigger::ledger {

std::string_view fault_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::kEdited: return "edited";
    case FaultKind::kRemoved: return "removed";
    case FaultKind::kInserted: return "inserted";
    case FaultKind::kReordered: return "reordered";
    case FaultKind::kDuplicated: return "duplicated";
    case FaultKind::kTorn: return "torn";
    case FaultKind::kMalformed: return "malformed";
    case FaultKind::kAnchorMissing: return "anchor_missing";
  }
  return "unknown";
}

}  // namespace outrigger::ledger
