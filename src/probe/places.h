#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "sys/cgroup.h"

namespace outrigger::probe {

inline constexpr std::size_t kControllerCount = sys::kControllers.size();

// The directories that hold the groups of a daemon's jobs: on v2 roots[0] alone, on v1 one for each of
// sys::kControllers in their order (two may be the same where controllers are mounted together).
struct Places {
  sys::CgroupVersion version = sys::CgroupVersion::kV2;
  std::array<std::string, kControllerCount> roots;
  [[nodiscard]] const std::string& root(sys::Controller controller) const {
    return roots.at(version == sys::CgroupVersion::kV2 ? 0 : static_cast<std::size_t>(controller));
  }
};

// What is known beforehand; all of it may be missing.
struct Hint {
  std::string memory_root{};  // absolute; on v1 in the memory hierarchy. The parent of the `cgroup` of any job's card.
  std::string version{};      // "v1", "v2" or empty
  pid_t daemon_pid = 0;       // 0: not known
};

// Where processes stand in the hierarchies that are mounted here.
struct Surroundings {
  std::optional<sys::Hierarchies> daemon;  // as its /proc/PID/cgroup says; nothing where that can't be read
  sys::Hierarchies ours;
};
base::Result<Surroundings> look_around(pid_t daemon_pid);

// Finds them by what exists. v1 names only one of four directories in a card: the others are sought below the daemon's
// own groups, below ours, and at the same path below the mount points, those first whose memory directory is the one
// that was named. Errors: kInvalid (a hint that is none), kNotFound; their context says what was looked for and where.
base::Result<Places> find_places(const Hint& hint);
base::Result<Places> find_places(const Hint& hint, const Surroundings& surroundings);

// The same, opened. Groups read through it, so it outlives them and stays where it is.
class OpenPlaces {
 public:
  // Errors: kSystem with the directory that could not be opened.
  static base::Result<OpenPlaces> open(Places places);

  [[nodiscard]] sys::CgroupVersion version() const { return places_.version; }
  [[nodiscard]] const Places& places() const { return places_; }
  [[nodiscard]] int root(sys::Controller controller) const {
    return dirs_[version() == sys::CgroupVersion::kV2 ? 0 : static_cast<std::size_t>(controller)].get();
  }

 private:
  Places places_;
  std::array<base::UniqueFd, kControllerCount> dirs_;
};

}  // namespace outrigger::probe
