#include "roster/strays.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

#include "base/ids.h"
#include "roster/estate.h"
#include "sys/small_file.h"

namespace outrigger::roster {
namespace {

constexpr const char* kRule = "leaked_cgroup";

// Probing jailers and templates have groups of their own there.
bool is_a_jobs(const std::string& name) {
  return base::is_job_id(name) && !name.starts_with("template-") && !name.starts_with("probe-");
}

bool is_empty(int parent, const std::string& name) {
  const auto members = sys::read_file_at(parent, (name + "/cgroup.procs").c_str());
  return members && members->empty();
}

rules::Finding leaked(const std::string& path) {
  return {kRule,
          rules::Severity::kWarning,
          "control group " + path +
              " holds no process and belongs to no job: a daemon that died has left it; the next "
              "one that starts there removes it, or rmdir does",
          {{"cgroup", path}}};
}

}  // namespace

void Strays::look(const std::vector<std::string>& roots, Clock::time_point now, const IsClaimed& is_claimed,
                  const Told& told) {
  if (!due(now)) return;
  looked_at_ = now;
  BySight still;
  for (const std::string& root : roots) look_below(root, now, is_claimed, told, still);
  seen_ = std::move(still);
}

void Strays::look_below(const std::string& root, Clock::time_point now, const IsClaimed& is_claimed, const Told& told,
                        BySight& still) const {
  const auto dir = sys::open_at(AT_FDCWD, root.c_str(), O_RDONLY | O_DIRECTORY);
  if (!dir) return;
  for (const std::string& name : directory_names(dir->get())) {
    struct stat about{};
    if (!is_a_jobs(name) || is_claimed(name)) continue;
    if (::fstatat(dir->get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const std::string path = std::string(root).append("/").append(name);
    Seen seen{about.st_ino, now, false};
    const auto before = seen_.find(path);
    if (before != seen_.end() && before->second.inode == about.st_ino) seen = before->second;
    if (!seen.told && now - seen.since >= kPatience && is_empty(dir->get(), name)) {
      told(name, leaked(path));
      seen.told = true;
    }
    still.emplace(path, seen);
  }
}

}  // namespace outrigger::roster
