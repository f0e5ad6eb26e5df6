#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

// What both cgroup drivers do with directories.
namespace outrigger::jail {

inline constexpr char kGroupsDir[] = "outrigger";

// The directory "outrigger" that holds the groups, below a group of the host. Several daemons may share it: each holds
// a shared lock, and only the last one removes it.
class GroupsRoot {
 public:
  // Makes it where it is missing. Error step: make_cgroup.
  static base::Result<GroupsRoot> open(const std::string& base);

  [[nodiscard]] int dir() const { return dir_.get(); }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Gives up the lock and removes the directory if it is empty and nobody else's.
  void remove_if_unused();

 private:
  GroupsRoot(std::string path, base::UniqueFd base, base::UniqueFd dir)
      : path_(std::move(path)), base_(std::move(base)), dir_(std::move(dir)) {}
  std::string path_;
  base::UniqueFd base_;
  base::UniqueFd dir_;
};

// Makes `name` below `parent`, which must be new, and opens it.
base::Result<base::UniqueFd> make_group_dir(int parent, const std::string& name);

using Setting = std::pair<const char*, std::string>;
base::Status write_settings(int dir, const std::vector<Setting>& settings);

base::Status remove_group_dir(int parent, const std::string& name);

std::vector<std::string> child_groups(int parent);

// Removes `name` if no living owner holds its lock; false where a process is still in it. The lock is held until the
// directory is gone, so that a maker who comes in between finds it taken, and tries again.
bool remove_if_abandoned(int parent, const std::string& name);

// A descriptor of its own that holds the lock: it lasts as long as its holder, whoever else has the directory open.
base::Result<base::UniqueFd> lock_group(int dir);

}  // namespace outrigger::jail
