#pragma once

#include <cstdint>
#include <string_view>

#include "probe/reading.h"

// The texts of control-group files as figures. Pure functions, safe with any bytes: what is no number in the text never
// becomes one here, and keys nobody asked for are passed over (kernel: Documentation/admin-guide/cgroup-v2.rst,
// "Format"; cgroup-v1/memory.rst; accounting/psi.rst).
namespace outrigger::probe {

// A file of one number and a newline. "max" is kNoLimit.
Figure parse_number(std::string_view text);

// The value of "key value" by exact key; kNoKey where no line has it, kMalformed where the first that does has no
// number.
Figure parse_key(std::string_view text, std::string_view key);

// v2 cpu.max, "quota period" or "max period", in microseconds.
struct CpuMax {
  Figure quota_usec;
  Figure period_usec;
};
CpuMax parse_cpu_max(std::string_view text);

// v1 memory.limit_in_bytes: no limit is the highest number of whole pages there is.
Figure parse_v1_memory_limit(std::string_view text);

// v1 cpu.cfs_quota_us, microseconds: no quota is -1.
Figure parse_v1_quota(std::string_view text);

// "some avg10=1.23 ..." of a pressure file: 123, hundredths of a percent.
Figure parse_pressure(std::string_view text);

// v1 counts in nanoseconds; an absence stays what it is.
Figure microseconds_of(Figure nanoseconds);

}  // namespace outrigger::probe
