#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ledger/fault.h"
#include "ledger/line.h"

namespace outrigger::ledger {

struct VerifyOptions {
  // Hashes of lines that were noted elsewhere, each of which has to be found. The `prev` of the first line counts too:
  // whoever archives old files gives the hash of the last line that was taken away, and nothing is said to be missing;
  // `first_seq` tells where the ledger begins then.
  std::vector<std::string> anchors;
  std::size_t max_faults = 1000;  // that are listed; all are counted
};

struct Verification {
  std::uint64_t lines = 0;  // finished ones, whatever they are worth
  std::uint64_t segments = 0;
  std::uint64_t first_seq = 0;  // of the first line in the chain; 0 if there is none
  Head head;                    // the last line in the chain
  std::vector<Fault> faults;    // in the order of files and lines; some of them, if there are more
  std::uint64_t fault_count = 0;

  [[nodiscard]] bool sound() const { return fault_count == 0; }
};

// Reads a whole ledger and says what is wrong with it. No lock, and a writer may be at work; then the newest line may
// be `torn`, for as long as it takes to write it. `dir` stays the caller's. Errors: kInvalid for the name, kSystem;
// faults are not errors.
//
// What it finds: each line is bound to all before it, so whatever was done to the ledger without making all hashes from
// there on anew. What it finds only with an anchor, in the anchor's line or before it: a chain made anew from some line
// on, the last line alone included, and lines cut off at the end. The kinds tell what most likely happened; of several
// changes at one place they are a guess.
base::Result<Verification> verify(int dir, std::string_view name, const VerifyOptions& options = {});

}  // namespace outrigger::ledger
