#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace outrigger::ledger {

struct CrashCount {
  std::uint64_t acknowledged = 0;
  std::uint64_t lost = 0;     // of the acknowledged ones
  std::uint64_t doubled = 0;  // lines that are there twice
  std::uint64_t segments = 0;
};

// In an empty directory: starts a process that appends to a ledger, kills it at a random moment (SIGKILL), opens the
// ledger again in the next, and so on; then compares what was acknowledged with what is there. Only for tests and
// measurements. Error: also a chain that does not verify.
base::Result<CrashCount> run_crash_rounds(const std::filesystem::path& dir, unsigned rounds, unsigned seed);

}  // namespace outrigger::ledger
