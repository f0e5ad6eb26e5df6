#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "jail/cgroup_dirs.h"
#include "jail/cgroup_driver.h"
#include "sys/small_file.h"

namespace outrigger::jail {
namespace {

constexpr const char* kEnable = "+memory +cpu +pids";

std::string quota_text(std::uint64_t quota_micros) {
  const std::string quota = quota_micros == kNoCpuQuota ? "max" : std::to_string(quota_micros);
  return quota + " " + std::to_string(kCpuPeriodMicros);
}

class CgroupV2 final : public CgroupDriver {
 public:
  explicit CgroupV2(GroupsRoot root) : root_(std::move(root)) {}

  [[nodiscard]] sys::CgroupVersion version() const override { return sys::CgroupVersion::kV2; }
  [[nodiscard]] const std::string& root() const override { return root_.path(); }

  base::Status set_quota(const std::string& name, std::uint64_t quota_micros) override {
    const std::string file = name + "/cpu.max";
    return write_settings(root_.dir(), {{file.c_str(), quota_text(quota_micros)}});
  }

  base::Status admit(const std::string& name, std::uint32_t host_id) override {
    for (const std::string& file : {std::string("cgroup.procs"), name + "/cgroup.procs"}) {
      if (::fchownat(root_.dir(), file.c_str(), host_id, static_cast<gid_t>(-1), 0) != 0) {
        return base::system_error("limit_cgroup", "owner of " + file);
      }
    }
    return {};
  }

  base::Status remove(const std::string& name) override { return remove_group_dir(root_.dir(), name); }

  bool sweep() override {
    bool clean = true;
    for (const std::string& name : child_groups(root_.dir())) {
      if (remove_if_abandoned(root_.dir(), name)) continue;
      unthrottle(name);
      clean = false;
    }
    return clean;
  }

  void close() override { root_.remove_if_unused(); }

 private:
  base::Result<Group> try_make(const std::string& name, const GroupLimits& limits) override {
    auto dir = make_group_dir(root_.dir(), name);
    if (!dir) return std::unexpected(dir.error());
    auto lock = lock_group(dir->get());
    base::Status status = lock ? base::Status() : std::unexpected(lock.error());
    // memory.oom.group stays 0: one rule on both versions, the kernel's victim is the process that used the memory.
    if (status) {
      status = write_settings(dir->get(), {{"memory.max", std::to_string(limits.memory_bytes)},
                                           {"pids.max", std::to_string(limits.pids)},
                                           {"cpu.max", quota_text(limits.cpu_quota_micros)}});
    }
    if (status) status = forbid_swap(dir->get());
    if (!status) {
      (void)remove_group_dir(root_.dir(), name);
      return std::unexpected(status.error());
    }
    Group group;
    group.dirs.version = version();
    group.dirs.dirs.push_back(std::move(*dir));
    group.locks.push_back(std::move(*lock));
    return group;
  }

  // A kernel without swap support has no such file, and nothing to forbid.
  static base::Status forbid_swap(int dir) {
    if (::faccessat(dir, "memory.swap.max", F_OK, 0) != 0 && errno == ENOENT) return {};
    return write_settings(dir, {{"memory.swap.max", "0"}});
  }

  GroupsRoot root_;
};

// cgroup v2 allows processes only in leaves (but for the root of the hierarchy). A delegated group of our own, as
// systemd gives with Delegate=yes, holds the daemon and its jailer and nobody else: those move into a leaf of it.
bool holds_only_us(const std::string& group) {
  const auto members = sys::read_file_at(AT_FDCWD, (group + "/cgroup.procs").c_str());
  if (!members) return false;
  std::string rest = *members;
  for (const pid_t ours : {::getpid(), ::getppid()}) {
    const std::string line = std::to_string(ours) + "\n";
    if (const std::size_t at = rest.find(line); at != std::string::npos) rest.erase(at, line.size());
  }
  return rest.empty();
}

base::Status move_into_leaf(const std::string& group) {
  const std::string leaf = group + "/daemon";
  if (::mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return base::system_error("make_cgroup", leaf);
  for (const pid_t ours : {::getpid(), ::getppid()}) {
    const auto moved = sys::write_file_at(AT_FDCWD, (leaf + "/cgroup.procs").c_str(), std::to_string(ours));
    if (!moved) return base::system_error("make_cgroup", leaf, moved.error().errno_value);
  }
  return {};
}

base::Status enable_controllers(const std::string& group) {
  const std::string file = group + "/cgroup.subtree_control";
  if (const auto written = sys::write_file_at(AT_FDCWD, file.c_str(), kEnable); !written) {
    return base::system_error("enable_controllers", file, written.error().errno_value);
  }
  return {};
}

}  // namespace

base::Result<std::unique_ptr<CgroupDriver>> open_cgroup_v2(const sys::Hierarchies& found, const std::string& root) {
  if (!found.unified)
    return base::failure(base::Code::kUnsupported, "probe_cgroup_v2", "no cgroup2 file system is mounted");
  const std::string& top = found.unified->mount_point;
  std::string base = root;
  if (base.empty()) {
    const std::string& own = found.unified->own_group;
    const bool delegated = own != top && holds_only_us(own);
    if (delegated) {
      if (const base::Status moved = move_into_leaf(own); !moved) return std::unexpected(moved.error());
    }
    base = delegated ? own : top;
  }
  if (const base::Status enabled = enable_controllers(base); !enabled) return std::unexpected(enabled.error());
  auto groups = GroupsRoot::open(base);
  if (!groups) return std::unexpected(groups.error());
  if (const base::Status enabled = enable_controllers(groups->path()); !enabled) {
    groups->remove_if_unused();
    return std::unexpected(enabled.error());
  }
  return std::make_unique<CgroupV2>(std::move(*groups));
}

}  // namespace outrigger::jail
