#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/error.h"

namespace outrigger::sys {

// This process as the kernel sees it (proc(5): /proc/self/stat, /proc/self/fd), and its RLIMIT_NOFILE.
struct OwnProcess {
  std::chrono::microseconds started_at{
      0};                                 // since 1970; the same in every reading, whatever the clock was set to since
  std::chrono::microseconds cpu_time{0};  // user and system, of all threads, in the kernel's ticks of 10 ms
  std::uint64_t resident_bytes = 0;
  std::size_t open_fds = 0;
  std::size_t max_fds = 0;
};

// Errors: kSystem where /proc is not there or shows something else.
base::Result<OwnProcess> read_own_process();

}  // namespace outrigger::sys
