#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "probe/reading.h"

// The texts of /proc and /sys files that the probe looks at (proc(5)). Pure functions, safe with any bytes.
namespace outrigger::probe {

// "MemTotal:  16384 kB" of /proc/meminfo by its exact name, in bytes.
Figure parse_meminfo(std::string_view text, std::string_view name);

// cgroup.procs: one id a line. 0 stands for a process of a pid namespace that ours cannot see (cgroups(7)). Lines that
// are none are passed over.
std::vector<pid_t> parse_pids(std::string_view text);

// The number in "pid:[4026531836]", what a link in /proc/PID/ns points to (namespaces(7)).
std::optional<std::uint64_t> parse_namespace(std::string_view link);

// NSpid of /proc/PID/status: the process's id in each pid namespace from ours inwards.
struct NamespacedPid {
  std::size_t depth = 0;  // how many namespaces there are, ours included
  pid_t innermost = 0;
};
std::optional<NamespacedPid> parse_nspid(std::string_view status);

// "0-3,8": a list of CPUs in ascending order (kernel: admin-guide/cputopology.rst). Nothing for what is no such list.
std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text);

}  // namespace outrigger::probe
