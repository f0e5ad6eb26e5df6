#include <fcntl.h>

#include "probe/places.h"
#include "sys/small_file.h"

namespace outrigger::probe {

base::Result<Surroundings> look_around(pid_t daemon_pid) {
  auto ours = sys::discover_hierarchies();
  if (!ours) return std::unexpected(ours.error());
  Surroundings around{std::nullopt, std::move(*ours)};
  if (daemon_pid <= 0) return around;
  const std::string file = "/proc/" + std::to_string(daemon_pid) + "/cgroup";
  const auto cgroup = sys::read_file_at(AT_FDCWD, file.c_str());
  const auto mounts = sys::read_file_at(AT_FDCWD, "/proc/self/mountinfo");
  if (cgroup && mounts) around.daemon = sys::parse_hierarchies(*mounts, *cgroup);
  return around;
}

base::Result<OpenPlaces> OpenPlaces::open(Places places) {
  OpenPlaces opened;
  const std::size_t count = places.version == sys::CgroupVersion::kV2 ? 1 : kControllerCount;
  for (std::size_t i = 0; i < count; ++i) {
    auto dir = sys::open_at(AT_FDCWD, places.roots[i].c_str(), O_RDONLY | O_DIRECTORY);
    if (!dir) return base::system_error("open_groups", places.roots[i], dir.error().errno_value);
    opened.dirs_[i] = std::move(*dir);
  }
  opened.places_ = std::move(places);
  return opened;
}

}  // namespace outrigger::probe
