#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "sys/cgroup.h"

// Making, limiting and removing the control groups of jails: one interface, a driver for cgroup v2 and one for v1 or
// hybrid hosts. Reading them is sys/cgroup.h.
namespace outrigger::jail {

inline constexpr std::uint64_t kCpuPeriodMicros = 100'000;
inline constexpr std::uint64_t kNoCpuQuota = 0;

struct GroupLimits {
  std::uint64_t memory_bytes = 0;  // swap included: none is allowed
  std::uint64_t pids = 0;
  std::uint64_t cpu_quota_micros = 0;  // a period of kCpuPeriodMicros; kNoCpuQuota: as much as there is
};

// A group just made and limited, still empty.
struct Group {
  sys::GroupDirs dirs;                     // may be given away: they own nothing
  std::vector<base::UniqueFd> locks;       // flock(2), for its owner to hold: where they are free it has none any more
  std::vector<base::UniqueFd> join_files;  // v1: a process enters by writing "0" to each
  [[nodiscard]] int clone_into() const {   // v2: a process is born in it by CLONE_INTO_CGROUP; -1 on v1
    return dirs.version == sys::CgroupVersion::kV2 ? dirs.dirs.front().get() : -1;
  }
};

class CgroupDriver {
 public:
  virtual ~CgroupDriver() = default;
  CgroupDriver() = default;
  CgroupDriver(const CgroupDriver&) = delete;
  CgroupDriver& operator=(const CgroupDriver&) = delete;

  [[nodiscard]] virtual sys::CgroupVersion version() const = 0;
  // The directory the groups lie in; on v1 that of the memory hierarchy.
  [[nodiscard]] virtual const std::string& root() const = 0;

  // Error steps: make_cgroup, limit_cgroup. Nothing is left behind on failure.
  base::Result<Group> make(const std::string& name, const GroupLimits& limits);
  // Sets another CPU quota, or none (kNoCpuQuota). Error step: limit_cgroup.
  virtual base::Status set_quota(const std::string& name, std::uint64_t quota_micros) = 0;
  // Lets processes of a host id, which stand in a group of ours, be born in this one: on v2 the kernel asks for the
  // right to write cgroup.procs of both it and their common ancestor (cgroups(7)); on v1 an open `tasks` file is
  // enough. Error step: limit_cgroup.
  virtual base::Status admit(const std::string& name, std::uint32_t host_id) = 0;
  // Lifts the CPU quota, so that dying is not throttled. A group that is gone has nothing to lift.
  void unthrottle(const std::string& name) { (void)set_quota(name, kNoCpuQuota); }
  // Removes the group `name`. EBUSY while the last task is still leaving: try again. A missing group is success.
  virtual base::Status remove(const std::string& name) = 0;
  // Removes groups that a dead jailer left behind. False where a process is still on its way out of one, which is made
  // as quick as it can be: try again.
  virtual bool sweep() = 0;
  // As often as it takes, for so long at most; false where something is left.
  bool sweep_within(std::chrono::milliseconds patience);
  // The end: removes the directory the groups lie in, unless another daemon uses it. Nothing else may be called after.
  virtual void close() = 0;

 private:
  virtual base::Result<Group> try_make(const std::string& name, const GroupLimits& limits) = 0;
};

// Chooses by doing: makes, limits, reads and removes a group with v2, then with v1. `root` empty: below this process's
// own group; on v2 at the top of the hierarchy where the own group is shared with processes that are not ours.
base::Result<std::unique_ptr<CgroupDriver>> probe_cgroup_driver(const std::string& root);

// One driver without choosing, for the doctor and for tests; the same checks.
base::Result<std::unique_ptr<CgroupDriver>> open_cgroup_v2(const sys::Hierarchies& found, const std::string& root);
base::Result<std::unique_ptr<CgroupDriver>> open_cgroup_v1(const sys::Hierarchies& found, const std::string& root);

}  // namespace outrigger::jail
