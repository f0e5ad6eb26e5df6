#include "outriggerd/state_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "tenants/token_file.h"

namespace outrigger::outriggerd {
namespace {

namespace fs = std::filesystem;

base::Result<base::UniqueFd> open_base(const fs::path& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec) return base::system_error("make_state_dir", path.string(), ec.value());
  base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return base::system_error("open_state_dir", path.string());
  return fd;
}

// Never through a symbolic link: whoever may write to the base directory must not choose what is given away here.
base::Result<base::UniqueFd> open_owned(const base::UniqueFd& parent, const fs::path& parent_path, const char* name,
                                        const Identity& owner, mode_t mode = 0750) {
  const std::string where = (parent_path / name).string();
  if (::mkdirat(parent.get(), name, 0750) != 0 && errno != EEXIST) return base::system_error("make_state_dir", where);
  base::UniqueFd fd(::openat(parent.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return base::system_error("open_state_dir", where);
  if (::fchown(fd.get(), owner.uid, owner.gid) != 0) return base::system_error("own_state_dir", where);
  if (::fchmod(fd.get(), mode) != 0) return base::system_error("own_state_dir", where);
  return fd;
}

std::string holder_of(const base::UniqueFd& lock) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(lock.get(), text.data(), text.size(), 0);
  std::string pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!pid.empty() && pid.back() == '\n') pid.pop_back();
  return pid.empty() ? "another process" : "process " + pid;
}

base::Result<base::UniqueFd> take_lock(const base::UniqueFd& run_dir, const fs::path& path) {
  static constexpr const char* kName = "outriggerd.lock";
  const std::string where = (path / kName).string();
  base::UniqueFd lock(::openat(run_dir.get(), kName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!lock) return base::system_error("lock_state_dir", where);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return base::system_error("lock_state_dir", where);
    return base::failure(
        base::Code::kConflict, "lock_state_dir",
        path.string() + " is in use by " + holder_of(lock) + "; stop that daemon, or choose another --state-dir");
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock.get(), 0) != 0 ||
      ::pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    return base::system_error("lock_state_dir", where);
  }
  return lock;
}

}  // namespace

base::Result<StateDirs> prepare_state_dirs(const config::Paths& paths, const Identity& owner) {
  auto run_dir = open_base(paths.run_dir);
  if (!run_dir) return std::unexpected(run_dir.error());
  const auto lib_dir = open_base(paths.lib_dir);
  if (!lib_dir) return std::unexpected(lib_dir.error());
  StateDirs dirs;
  auto lock = take_lock(*run_dir, paths.run_dir);
  if (!lock) return std::unexpected(lock.error());
  auto jobs = open_owned(*run_dir, paths.run_dir, "jobs", owner);
  if (!jobs) return std::unexpected(jobs.error());
  auto terminations = open_owned(*lib_dir, paths.lib_dir, "terminations", owner);
  if (!terminations) return std::unexpected(terminations.error());
  auto audit = open_owned(*lib_dir, paths.lib_dir, "audit", owner);
  if (!audit) return std::unexpected(audit.error());
  auto queue = open_owned(*lib_dir, paths.lib_dir, "queue", owner);
  if (!queue) return std::unexpected(queue.error());
  // Who lets people in is not the daemon: were it taken over, it could make no tokens.
  auto tokens = open_owned(*lib_dir, paths.lib_dir, "tokens", {::geteuid(), owner.gid}, tenants::kDirectoryMode);
  if (!tokens) return std::unexpected(tokens.error());
  dirs.tokens = std::move(*tokens);
  dirs.audit = std::move(*audit);
  dirs.queue = std::move(*queue);
  dirs.lock = std::move(*lock);
  dirs.run = std::move(*run_dir);
  dirs.jobs = std::move(*jobs);
  dirs.terminations = std::move(*terminations);
  return dirs;
}

}  // namespace outrigger::outriggerd
