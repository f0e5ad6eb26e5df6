#include "probe/group.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "probe/group_files.h"
#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

using sys::Controller;

constexpr std::string_view kStep = "read_cgroup";

// The inode of the directory of this name, or the errno: ENOENT where there is none.
std::expected<ino_t, int> inode_of(const OpenPlaces& places, const std::string& name) {
  struct stat found{};
  if (::fstatat(places.root(Controller::kMemory), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::unexpected(errno);
  }
  if (!S_ISDIR(found.st_mode)) return std::unexpected(ENOENT);
  return found.st_ino;
}

std::unexpected<base::Error> gone(const std::string& name) {
  return base::failure(base::Code::kNotFound, kStep, "there is no such group any more: " + name);
}

}  // namespace

base::Result<Group> Group::open(const OpenPlaces& places, std::string name, DescriptorBudget& budget) {
  if (name.empty() || name.contains('/') || name.starts_with('.')) {
    return base::failure(base::Code::kInvalid, kStep, "no group is named \"" + name + "\"");
  }
  const auto identity = inode_of(places, name);
  if (identity) return Group(places, std::move(name), budget, *identity);
  if (identity.error() != ENOENT) return base::system_error(kStep, name, identity.error());
  return base::failure(base::Code::kNotFound, kStep,
                       "there is no group " + name + " in " + places.places().root(Controller::kMemory));
}

base::Result<Seen> Group::look_again() const {
  const auto now = inode_of(*places_, name_);
  if (!now && now.error() != ENOENT) return base::system_error(kStep, name_, now.error());
  return now == identity_ ? Seen::kRead : Seen::kEnded;
}

bool Group::keep_files() {
  bool any = false;
  const auto keep = [this, &any](base::UniqueFd& slot, Controller controller, const char* file) {
    if (slot || !lease_.take()) return;
    GroupFiles::Path path;  // NOLINT(cppcoreguidelines-pro-type-member-init): written by path_of
    slot.reset(::openat(places_->root(controller), GroupFiles::path_of(name_, file, path), O_RDONLY | O_CLOEXEC));
    any = true;
    if (slot) return;
    const bool none_left = errno == EMFILE || errno == ENFILE;
    lease_.give_back();
    if (none_left) lease_.budget().shrink();
  };
  keep(cpu_, cpu_file_controller(), cpu_file(places_->version()));
  keep(memory_, Controller::kMemory, memory_file(places_->version()));
  return any;
}

void Group::forget_files() {
  memory_.reset();
  cpu_.reset();
  lease_.give_back_all();
}

Reading Group::read_figures(GroupFiles& files, Depth depth, const Reading& earlier) const {
  const sys::CgroupVersion version = places_->version();
  Reading now;
  now.version = version;
  now.at = std::chrono::steady_clock::now();
  if (depth != Depth::kLight) read_counters(files, now);
  if (depth == Depth::kFullWithLimits) read_limits(files, now);
  if (depth == Depth::kFull) {
    now.memory_limit_bytes = earlier.memory_limit_bytes;
    now.cpu_quota_usec = earlier.cpu_quota_usec;
    now.cpu_period_usec = earlier.cpu_period_usec;
    now.pids_limit = earlier.pids_limit;
  }
  now.cpu_usage_usec =
      cpu_usage_in(cpu_ ? files.kept(cpu_.get()) : files.named(cpu_file_controller(), cpu_file(version)), version);
  // The last of all: where a kept file still answers, the group has lived through everything read before.
  now.memory_bytes =
      number_in(memory_ ? files.kept(memory_.get()) : files.named(Controller::kMemory, memory_file(version)));
  return now;
}

base::Result<Seen> Group::read(Depth depth, Reading& out) {
  // What is opened by name is this group's if the name is still its own afterwards: no inode comes twice.
  const bool unsure = keep_files();
  GroupFiles files(*places_, name_);
  const Reading now = read_figures(files, depth, out);
  const bool proven = !unsure && memory_ && now.memory_bytes && !files.seen_removed() && !files.failure();
  if (!proven) {
    const auto seen = look_again();
    const bool sound = seen && *seen == Seen::kRead && !files.seen_removed();
    if (!sound) forget_files();
    if (!seen || *seen == Seen::kEnded) return seen;
    if (files.failure()) return std::unexpected(*files.failure());
  }
  out = now;
  return Seen::kRead;
}

Figure Group::glance() {
  const sys::CgroupVersion version = places_->version();
  GroupFiles files(*places_, name_);
  return cpu_usage_in(cpu_ ? files.kept(cpu_.get()) : files.named(cpu_file_controller(), cpu_file(version)), version);
}

base::Result<Figure> Group::read_inactive_file() const {
  GroupFiles files(*places_, name_);
  const Figure figure =
      key_in(files.named(Controller::kMemory, "memory.stat"), files.v2() ? "inactive_file" : "total_inactive_file");
  const auto seen = look_again();
  if (!seen) return std::unexpected(seen.error());
  if (*seen == Seen::kEnded) return gone(name_);
  if (files.failure()) return std::unexpected(*files.failure());
  return figure;
}

base::Result<base::UniqueFd> Group::open_directory(sys::Controller controller) const {
  auto dir = sys::open_at(places_->root(controller), name_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const auto seen = look_again();
  if (!seen) return std::unexpected(seen.error());
  if (*seen == Seen::kEnded) return gone(name_);
  if (!dir) return base::system_error(kStep, name_, dir.error().errno_value);
  return dir;
}

}  // namespace outrigger::probe
