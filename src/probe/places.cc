#include "probe/places.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <span>
#include <vector>

#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

constexpr std::string_view kStep = "find_groups";
constexpr std::string_view kGroups = "/outrigger";   // what the daemon calls the directory of its jails' groups
constexpr std::string_view kDaemonLeaf = "/daemon";  // where it moves itself in a delegated v2 group

bool is_directory(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

bool lies_below(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

std::unexpected<base::Error> nowhere(std::string_view what, std::span<const std::string> tried) {
  std::string text = std::string(what) + ": no such directory";
  for (const std::string& path : tried) text += (&path == tried.data() ? " as " : ", nor as ") + path;
  if (tried.empty()) text += ", no control group hierarchy is mounted";
  return base::failure(base::Code::kNotFound, kStep, text);
}

std::optional<std::string> first_directory(std::span<const std::string> candidates) {
  for (const std::string& path : candidates) {
    if (is_directory(path)) return path;
  }
  return std::nullopt;
}

// Ours and the daemon's view, the daemon's first.
std::vector<const sys::Hierarchies*> views(const Surroundings& around) {
  std::vector<const sys::Hierarchies*> all;
  if (around.daemon) all.push_back(&*around.daemon);
  all.push_back(&around.ours);
  return all;
}

std::vector<std::string> v2_candidates(const Surroundings& around) {
  std::vector<std::string> paths;
  for (const sys::Hierarchies* view : views(around)) {
    if (!view->unified) continue;
    std::string own = view->unified->own_group;
    if (own.ends_with(kDaemonLeaf)) paths.push_back(own.substr(0, own.size() - kDaemonLeaf.size()).append(kGroups));
    paths.push_back(own.append(kGroups));
  }
  if (around.ours.unified) paths.push_back(around.ours.unified->mount_point + std::string(kGroups));
  return paths;
}

std::vector<std::string> v1_memory_candidates(const Surroundings& around) {
  std::vector<std::string> paths;
  for (const sys::Hierarchies* view : views(around)) {
    if (const auto* memory = view->find_v1("memory")) paths.push_back(memory->own_group + std::string(kGroups));
  }
  if (const auto* memory = around.ours.find_v1("memory")) paths.push_back(memory->mount_point + std::string(kGroups));
  return paths;
}

// Where the groups may lie in another v1 hierarchy than memory's.
std::vector<std::string> v1_candidates(const Surroundings& around, std::string_view controller,
                                       std::string_view memory_root) {
  std::vector<std::string> likely;
  std::vector<std::string> others;
  for (const sys::Hierarchies* view : views(around)) {
    const auto* memory = view->find_v1("memory");
    const auto* hierarchy = view->find_v1(controller);
    if (hierarchy == nullptr) continue;
    const bool foretells = memory != nullptr && memory->own_group + std::string(kGroups) == memory_root;
    (foretells ? likely : others).push_back(hierarchy->own_group + std::string(kGroups));
  }
  const auto* memory = around.ours.find_v1("memory");
  const auto* hierarchy = around.ours.find_v1(controller);
  if (memory != nullptr && hierarchy != nullptr && lies_below(memory_root, memory->mount_point)) {
    likely.push_back(hierarchy->mount_point + std::string(memory_root.substr(memory->mount_point.size())));
  }
  likely.insert(likely.end(), others.begin(), others.end());
  return likely;
}

base::Result<Places> complete_v1(const std::string& memory_root, const Surroundings& around) {
  Places places{sys::CgroupVersion::kV1, {}};
  for (const sys::Controller controller : sys::kControllers) {
    const std::string_view name = sys::controller_name(controller);
    const auto candidates =
        controller == sys::Controller::kMemory ? std::vector{memory_root} : v1_candidates(around, name, memory_root);
    auto found = first_directory(candidates);
    if (!found) return nowhere("the jobs' groups in the v1 hierarchy of " + std::string(name), candidates);
    places.roots[static_cast<std::size_t>(controller)] = std::move(*found);
  }
  return places;
}

base::Result<Places> only_v2(const std::string& root) {
  if (!is_directory(root)) return nowhere("the jobs' groups", std::span(&root, 1));
  return Places{sys::CgroupVersion::kV2, {root}};
}

// Which version a named directory belongs to: that of the deepest mount point it lies below.
std::optional<sys::CgroupVersion> version_of(const std::string& root, const sys::Hierarchies& mounted) {
  std::size_t deepest = 0;
  std::optional<sys::CgroupVersion> version;
  const auto consider = [&](const sys::Hierarchy& hierarchy, sys::CgroupVersion its) {
    if (!lies_below(root, hierarchy.mount_point) || hierarchy.mount_point.size() < deepest) return;
    deepest = hierarchy.mount_point.size();
    version = its;
  };
  if (mounted.unified) consider(*mounted.unified, sys::CgroupVersion::kV2);
  for (const sys::Hierarchy& one : mounted.v1) consider(one, sys::CgroupVersion::kV1);
  return version;
}

base::Result<Places> search(const Surroundings& around, bool v2, bool v1) {
  std::vector<std::string> tried;
  if (v2) {
    tried = v2_candidates(around);
    if (const auto root = first_directory(tried)) return only_v2(*root);
  }
  if (v1) {
    const auto candidates = v1_memory_candidates(around);
    if (const auto root = first_directory(candidates)) return complete_v1(*root, around);
    tried.insert(tried.end(), candidates.begin(), candidates.end());
  }
  return nowhere("the jobs' groups", tried);
}

}  // namespace

base::Result<Places> find_places(const Hint& hint) {
  const auto around = look_around(hint.daemon_pid);
  if (!around) return std::unexpected(around.error());
  return find_places(hint, *around);
}

base::Result<Places> find_places(const Hint& hint, const Surroundings& surroundings) {
  const bool any = hint.version.empty();
  if (!any && hint.version != "v1" && hint.version != "v2") {
    return base::failure(base::Code::kInvalid, kStep, "the cgroup version is v1 or v2, not " + hint.version);
  }
  std::string root = hint.memory_root;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  if (root.empty()) return search(surroundings, any || hint.version == "v2", any || hint.version == "v1");
  if (!root.starts_with('/')) {
    return base::failure(base::Code::kInvalid, kStep, "the jobs' groups are named by an absolute path, not " + root);
  }
  if (hint.version == "v2") return only_v2(root);
  if (hint.version == "v1") return complete_v1(root, surroundings);
  const auto version = version_of(root, surroundings.ours);
  if (!version)
    return base::failure(base::Code::kNotFound, kStep, root + " lies below no mounted control group hierarchy");
  return *version == sys::CgroupVersion::kV2 ? only_v2(root) : complete_v1(root, surroundings);
}

}  // namespace outrigger::probe
