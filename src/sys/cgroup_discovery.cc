#include <fcntl.h>

#include <algorithm>
#include <map>

#include "sys/cgroup.h"
#include "sys/small_file.h"

namespace outrigger::sys {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    if (end != 0 && !text.empty()) parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// mountinfo writes space, tab, newline and backslash as three octal digits (proc(5)).
std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool octal = text[i] == '\\' && i + 3 < text.size() &&
                       std::ranges::all_of(text.substr(i + 1, 3), [](char c) { return c >= '0' && c <= '7'; });
    if (octal) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

struct MountLine {
  std::string root;
  std::string mount_point;
  std::string type;
  std::string super_options;
};

// "36 35 98:0 /root /mount/point options [optional fields] - type source super-options" (proc(5)).
std::optional<MountLine> parse_mount_line(const std::string& line) {
  const std::size_t dash = line.find(" - ");
  if (dash == std::string::npos) return std::nullopt;
  const auto before = split(std::string_view(line).substr(0, dash), ' ');
  const auto after = split(std::string_view(line).substr(dash + 3), ' ');
  if (before.size() < 6 || after.size() < 3) return std::nullopt;
  return MountLine{unescape(before[3]), unescape(before[4]), after[0], after[2]};
}

// The group `path` of a hierarchy of which only the part below `mount.root` is mounted here.
std::string group_directory(const MountLine& mount, std::string_view path) {
  if (mount.root != "/" && path.starts_with(mount.root)) path.remove_prefix(mount.root.size());
  std::string directory = mount.mount_point;
  if (!path.empty() && path != "/") directory += path;
  return directory;
}

// /proc/self/cgroup: "4:memory:/a", "0::/b". Keyed by each controller; "" is the unified hierarchy.
std::map<std::string, std::string> own_paths(std::string_view self_cgroup) {
  std::map<std::string, std::string> paths;
  for (const std::string& line : split(self_cgroup, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (names.empty()) paths.emplace("", path);
    for (const std::string& name : split(names, ',')) paths.emplace(name, path);
  }
  return paths;
}

}  // namespace

std::string_view controller_name(Controller controller) {
  switch (controller) {
    case Controller::kMemory: return "memory";
    case Controller::kCpu: return "cpu";
    case Controller::kCpuacct: return "cpuacct";
    case Controller::kPids: return "pids";
  }
  return "";
}

std::string_view version_name(CgroupVersion version) { return version == CgroupVersion::kV2 ? "v2" : "v1"; }

const Hierarchy* Hierarchies::find_v1(std::string_view controller) const {
  const auto found = std::ranges::find_if(v1, [controller](const Hierarchy& one) {
    return std::ranges::find(one.controllers, controller) != one.controllers.end();
  });
  return found == v1.end() ? nullptr : &*found;
}

int GroupDirs::dir(Controller controller) const {
  const std::size_t index = version == CgroupVersion::kV2 ? 0 : static_cast<std::size_t>(controller);
  return index < dirs.size() ? dirs[index].get() : -1;
}

Hierarchies parse_hierarchies(std::string_view mountinfo, std::string_view self_cgroup) {
  const auto paths = own_paths(self_cgroup);
  Hierarchies found;
  for (const std::string& line : split(mountinfo, '\n')) {
    const auto mount = parse_mount_line(line);
    if (!mount) continue;
    if (mount->type == "cgroup2" && !found.unified && paths.contains("")) {
      found.unified = Hierarchy{{}, mount->mount_point, group_directory(*mount, paths.at(""))};
    }
    if (mount->type != "cgroup") continue;
    Hierarchy hierarchy{{}, mount->mount_point, {}};
    for (const std::string& option : split(mount->super_options, ',')) {
      if (!paths.contains(option)) continue;
      hierarchy.controllers.push_back(option);
      hierarchy.own_group = group_directory(*mount, paths.at(option));
    }
    if (!hierarchy.controllers.empty()) found.v1.push_back(std::move(hierarchy));
  }
  return found;
}

base::Result<Hierarchies> discover_hierarchies() {
  const auto mountinfo = read_file_at(AT_FDCWD, "/proc/self/mountinfo");
  if (!mountinfo) return std::unexpected(mountinfo.error());
  const auto self_cgroup = read_file_at(AT_FDCWD, "/proc/self/cgroup");
  if (!self_cgroup) return std::unexpected(self_cgroup.error());
  Hierarchies found = parse_hierarchies(*mountinfo, *self_cgroup);
  if (found.unified) {
    const std::string file = found.unified->own_group + "/cgroup.controllers";
    if (const auto listed = read_file_at(AT_FDCWD, file.c_str())) {
      std::string names = *listed;
      std::ranges::replace(names, '\n', ' ');
      found.unified->controllers = split(names, ' ');
    }
  }
  return found;
}

}  // namespace outrigger::sys
