#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

// Reading control groups, v2 and v1 (kernel: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/). Making and
// limiting them is the jailer's. The daemon and the auditor both read through this room.
namespace outrigger::sys {

enum class CgroupVersion { kV1, kV2 };

// The controllers a job needs. On v2 one directory serves all; on v1 each is found in its own hierarchy (which may be
// shared).
enum class Controller : std::uint8_t { kMemory, kCpu, kCpuacct, kPids };
inline constexpr std::array kControllers{Controller::kMemory, Controller::kCpu, Controller::kCpuacct,
                                         Controller::kPids};
std::string_view controller_name(Controller controller);
std::string_view version_name(CgroupVersion version);  // "v1", "v2"

// Where this process stands in one hierarchy.
struct Hierarchy {
  std::vector<std::string> controllers;  // v1: as mounted; v2: as listed in cgroup.controllers of own_group
  std::string mount_point;               // "/sys/fs/cgroup/memory"
  std::string own_group;                 // absolute directory of this process's group below the mount point
};

struct Hierarchies {
  std::optional<Hierarchy> unified;
  std::vector<Hierarchy> v1;
  [[nodiscard]] const Hierarchy* find_v1(std::string_view controller) const;
};

// From the texts of /proc/self/mountinfo and /proc/self/cgroup (cgroups(7)).
Hierarchies parse_hierarchies(std::string_view mountinfo, std::string_view self_cgroup);
base::Result<Hierarchies> discover_hierarchies();

// Open directories of one group: one on v2, one per controller in the order of kControllers on v1.
struct GroupDirs {
  CgroupVersion version = CgroupVersion::kV2;
  std::vector<base::UniqueFd> dirs;
  [[nodiscard]] int dir(Controller controller) const;
};

// What the kernel has counted for a group so far. Absent: this kernel, version or controller does not offer it, or the
// group is gone; never a made-up zero.
struct Counters {
  std::optional<std::chrono::microseconds> cpu_usage;
  std::optional<std::chrono::microseconds> throttled;
  std::optional<std::uint64_t> periods;
  std::optional<std::uint64_t> throttled_periods;
  std::optional<std::uint64_t> memory_current;
  std::optional<std::uint64_t> memory_peak;
  std::optional<std::uint64_t> oom_kills;
  std::optional<std::uint64_t> memory_limit_hits;  // v2 memory.events "max"; v1 memory.failcnt
  std::optional<std::uint64_t> pids_current;
  std::optional<std::uint64_t> pids_peak;
  std::optional<std::uint64_t> pids_limit_hits;
};

Counters read_counters(const GroupDirs& group);

// CPU time only: what the CPU watchdog polls.
std::optional<std::chrono::microseconds> read_cpu_usage(const GroupDirs& group);

// The value of "key value" in a flat-keyed file, by exact key; a missing key or one that is no number is absent.
std::optional<std::uint64_t> flat_key(std::string_view text, std::string_view key);
// A file that holds one number and a newline. "max" (no limit) is absent.
std::optional<std::uint64_t> single_value(std::string_view text);

}  // namespace outrigger::sys
