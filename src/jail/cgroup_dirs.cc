#include "jail/cgroup_dirs.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "sys/directory.h"
#include "sys/small_file.h"

namespace outrigger::jail {
base::Result<GroupsRoot> GroupsRoot::open(const std::string& base) {
  auto base_dir = sys::open_at(AT_FDCWD, base.c_str(), O_RDONLY | O_DIRECTORY);
  if (!base_dir) return base::system_error("make_cgroup", base, base_dir.error().errno_value);
  std::string path = base + "/" + kGroupsDir;
  // Another daemon may remove it between our opening and our locking: then what we hold is no longer what the name
  // says.
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (::mkdirat(base_dir->get(), kGroupsDir, 0755) != 0 && errno != EEXIST)
      return base::system_error("make_cgroup", path);
    auto dir = sys::open_at(base_dir->get(), kGroupsDir, O_RDONLY | O_DIRECTORY);
    if (!dir) continue;
    if (::flock(dir->get(), LOCK_SH) != 0) return base::system_error("make_cgroup", "lock " + path);
    struct stat held{};
    struct stat named{};
    const bool same = ::fstat(dir->get(), &held) == 0 && ::fstatat(base_dir->get(), kGroupsDir, &named, 0) == 0 &&
                      held.st_ino == named.st_ino;
    if (same) return GroupsRoot(std::move(path), std::move(*base_dir), std::move(*dir));
  }
  return base::system_error("make_cgroup", path, EAGAIN);
}

void GroupsRoot::remove_if_unused() {
  if (dir_ && ::flock(dir_.get(), LOCK_EX | LOCK_NB) == 0) ::unlinkat(base_.get(), kGroupsDir, AT_REMOVEDIR);
  dir_.reset();
}

base::Result<base::UniqueFd> make_group_dir(int parent, const std::string& name) {
  if (::mkdirat(parent, name.c_str(), 0755) != 0) return base::system_error("make_cgroup", name);
  auto dir = sys::open_at(parent, name.c_str(), O_RDONLY | O_DIRECTORY);
  if (!dir) {
    ::unlinkat(parent, name.c_str(), AT_REMOVEDIR);
    return base::system_error("make_cgroup", name, dir.error().errno_value);
  }
  return dir;
}

base::Status write_settings(int dir, const std::vector<Setting>& settings) {
  for (const auto& [file, value] : settings) {
    if (const base::Status written = sys::write_file_at(dir, file, value); !written) {
      return base::system_error("limit_cgroup", std::string(file) + " = " + value, written.error().errno_value);
    }
  }
  return {};
}

base::Status remove_group_dir(int parent, const std::string& name) {
  if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return base::system_error("remove_cgroup", name);
  }
  return {};
}

std::vector<std::string> child_groups(int parent) {
  return sys::names_in(parent, sys::EntryType::kDirectory).value_or(std::vector<std::string>{});
}

bool remove_if_abandoned(int parent, const std::string& name) {
  const auto dir = sys::open_at(parent, name.c_str(), O_RDONLY | O_DIRECTORY);
  if (!dir || ::flock(dir->get(), LOCK_EX | LOCK_NB) != 0) return true;
  // A dead process is no member any more, and may still be in the way: EBUSY.
  const base::Status removed = remove_group_dir(parent, name);
  return removed || removed.error().errno_value != EBUSY;
}

base::Result<base::UniqueFd> lock_group(int dir) {
  auto lock = sys::open_at(dir, ".", O_RDONLY | O_DIRECTORY);
  if (!lock) return base::system_error("make_cgroup", "lock", lock.error().errno_value);
  if (::flock(lock->get(), LOCK_EX | LOCK_NB) != 0) return base::system_error("make_cgroup", "lock");
  return lock;
}

}  // namespace outrigger::jail
