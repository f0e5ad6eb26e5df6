#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "jail/cgroup_dirs.h"
#include "jail/cgroup_driver.h"
#include "sys/small_file.h"

namespace outrigger::jail {
namespace {

std::string quota_text(std::uint64_t quota_micros) {
  return quota_micros == kNoCpuQuota ? "-1" : std::to_string(quota_micros);
}

std::vector<Setting> settings_for(sys::Controller controller, const GroupLimits& limits) {
  switch (controller) {
    case sys::Controller::kMemory:
      // memsw counts memory and swap together and may not be below the memory limit: this order, and the same value.
      return {{"memory.limit_in_bytes", std::to_string(limits.memory_bytes)},
              {"memory.memsw.limit_in_bytes", std::to_string(limits.memory_bytes)}};
    case sys::Controller::kCpu:
      return {{"cpu.cfs_period_us", std::to_string(kCpuPeriodMicros)},
              {"cpu.cfs_quota_us", quota_text(limits.cpu_quota_micros)}};
    case sys::Controller::kPids: return {{"pids.max", std::to_string(limits.pids)}};
    case sys::Controller::kCpuacct: return {};
  }
  return {};
}

class CgroupV1 final : public CgroupDriver {
 public:
  explicit CgroupV1(std::vector<GroupsRoot> roots) : roots_(std::move(roots)) {}

  [[nodiscard]] sys::CgroupVersion version() const override { return sys::CgroupVersion::kV1; }
  [[nodiscard]] const std::string& root() const override { return roots_.front().path(); }

  base::Status set_quota(const std::string& name, std::uint64_t quota_micros) override {
    const std::string file = name + "/cpu.cfs_quota_us";
    return write_settings(parent(sys::Controller::kCpu), {{file.c_str(), quota_text(quota_micros)}});
  }

  base::Status admit(const std::string&, std::uint32_t) override { return {}; }

  base::Status remove(const std::string& name) override {
    base::Status first;
    for (const GroupsRoot& hierarchy : roots_) {
      if (const base::Status status = remove_group_dir(hierarchy.dir(), name); !status && first) first = status;
    }
    return first;
  }

  // Each hierarchy by its own locks: daemons may share the parent in one and have their own in another.
  bool sweep() override {
    bool clean = true;
    for (const GroupsRoot& hierarchy : roots_) {
      for (const std::string& name : child_groups(hierarchy.dir())) {
        if (remove_if_abandoned(hierarchy.dir(), name)) continue;
        unthrottle(name);
        clean = false;
      }
    }
    return clean;
  }

  void close() override {
    for (GroupsRoot& root : roots_) root.remove_if_unused();
  }

 private:
  base::Result<Group> try_make(const std::string& name, const GroupLimits& limits) override {
    Group group;
    group.dirs.version = version();
    for (const sys::Controller controller : sys::kControllers) {
      if (const base::Status status = add(group, controller, name, limits); !status) {
        const bool anothers = group.dirs.dirs.empty() && status.error().errno_value == EEXIST;
        if (!anothers) (void)remove(name);
        return std::unexpected(status.error());
      }
    }
    return group;
  }

  [[nodiscard]] int parent(sys::Controller controller) const {
    return roots_.at(static_cast<std::size_t>(controller)).dir();
  }

  base::Status add(Group& group, sys::Controller controller, const std::string& name, const GroupLimits& limits) {
    auto dir = make_group_dir(parent(controller), name);
    // Controllers may be mounted together (cpu,cpuacct): the second finds the directory of the first.
    const bool shared = !dir && dir.error().errno_value == EEXIST && controller != sys::Controller::kMemory;
    if (shared) dir = sys::open_at(parent(controller), name.c_str(), O_RDONLY | O_DIRECTORY);
    if (!dir) return std::unexpected(dir.error());
    if (!shared) {
      auto lock = lock_group(dir->get());
      if (!lock) return std::unexpected(lock.error());
      group.locks.push_back(std::move(*lock));
    }
    if (base::Status limited = write_settings(dir->get(), settings_for(controller, limits)); !limited) return limited;
    if (!shared) {
      auto tasks = sys::open_at(dir->get(), "tasks", O_WRONLY);
      if (!tasks) return base::system_error("make_cgroup", name + "/tasks", tasks.error().errno_value);
      group.join_files.push_back(std::move(*tasks));
    }
    group.dirs.dirs.push_back(std::move(*dir));
    return {};
  }

  std::vector<GroupsRoot> roots_;  // in the order of sys::kControllers: memory is the first
};

}  // namespace

base::Result<std::unique_ptr<CgroupDriver>> open_cgroup_v1(const sys::Hierarchies& found, const std::string& root) {
  std::vector<GroupsRoot> roots;
  for (const sys::Controller controller : sys::kControllers) {
    const sys::Hierarchy* hierarchy = found.find_v1(sys::controller_name(controller));
    if (hierarchy == nullptr) {
      return base::failure(base::Code::kUnsupported, "probe_cgroup_v1",
                           "the " + std::string(sys::controller_name(controller)) + " controller is not mounted");
    }
    // An explicit root is the same relative path in every hierarchy.
    auto groups = GroupsRoot::open(root.empty() ? hierarchy->own_group : hierarchy->mount_point + "/" + root);
    if (!groups) return std::unexpected(groups.error());
    roots.push_back(std::move(*groups));
  }
  return std::make_unique<CgroupV1>(std::move(roots));
}

}  // namespace outrigger::jail
