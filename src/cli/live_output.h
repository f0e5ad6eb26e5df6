#pragma once

#include <cstdint>
#include <string_view>

#include "run/attendance.h"

namespace outrigger::cli {

// How much of each stream was written here.
struct Told {
  std::uint64_t stdout_bytes = 0;
  std::uint64_t stderr_bytes = 0;
};

// Writes what a program writes to our own stdout and stderr, while it runs.
class LiveOutput {
 public:
  // False where our stdout takes no more: there is no use in going on.
  bool write(run::Stream stream, std::string_view bytes);
  [[nodiscard]] Told told() const { return told_; }

 private:
  Told told_;
};

}  // namespace outrigger::cli
