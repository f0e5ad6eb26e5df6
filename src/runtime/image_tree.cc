#include "runtime/image_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "runtime/text_file.h"

namespace outrigger::runtime {
namespace {

namespace fs = std::filesystem;

// Emptied: the directory itself stays.
constexpr std::array kEmptied{"dev",       "tmp",         "run",           "proc",          "var/tmp",
                              "var/log",   "var/cache",   "var/mail",      "var/spool",     "boot",
                              "var/local", "var/backups", "usr/share/man", "usr/share/info"};
constexpr std::array kRemoved{"sys",
                              "etc/apt",
                              "etc/dpkg",
                              "etc/shadow",
                              "etc/gshadow",
                              "etc/shadow-",
                              "etc/gshadow-",
                              "etc/passwd-",
                              "etc/group-",
                              "etc/subuid",
                              "etc/subgid",
                              "etc/subuid-",
                              "etc/subgid-",
                              "etc/security",
                              "etc/pam.d",
                              "etc/pam.conf",
                              "etc/cron.daily",
                              "etc/logrotate.d",
                              "etc/init.d",
                              "etc/systemd",
                              "etc/.pwd.lock",
                              "usr/share/locale",
                              "usr/share/lintian",
                              "usr/share/bug",
                              "usr/share/bash-completion",
                              "usr/lib/systemd",
                              "var/lib/apt",
                              "var/lib/systemd",
                              "var/lib/pam",
                              "var/lib/shells.state"};

base::Status remove_entry(const fs::path& path) {
  std::error_code code;
  fs::remove_all(path, code);
  if (code) return base::system_error("remove", path.string(), code.value());
  return {};
}

// Entries of a directory that pass `doomed`.
template <typename Predicate>
base::Status remove_children(const fs::path& directory, Predicate doomed) {
  std::error_code code;
  if (!fs::is_directory(fs::symlink_status(directory, code))) return {};
  std::vector<fs::path> children;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    if (doomed(*it)) children.push_back(it->path());
  }
  if (code) return base::system_error("list", directory.string(), code.value());
  for (const fs::path& child : children) {
    if (const auto removed = remove_entry(child); !removed) return removed;
  }
  return {};
}

base::Status strip_known(const fs::path& root) {
  for (const char* name : kRemoved) {
    if (const auto removed = remove_entry(root / name); !removed) return removed;
  }
  for (const char* name : kEmptied) {
    const auto removed = remove_children(root / name, [](const fs::directory_entry&) { return true; });
    if (!removed) return removed;
  }
  for (int level = 0; level <= 6; ++level) {
    if (const auto removed = remove_entry(root / ("etc/rc" + std::to_string(level) + ".d")); !removed) return removed;
  }
  if (const auto removed = remove_entry(root / "etc/rcS.d"); !removed) return removed;
  return remove_children(root / "var/lib/dpkg",
                         [](const fs::directory_entry& entry) { return entry.path().filename() != "status"; });
}

// Debian's copyright files must travel with the programs; the rest of /usr/share/doc need not.
base::Status strip_docs(const fs::path& root) {
  const fs::path docs = root / "usr/share/doc";
  std::error_code code;
  if (!fs::is_directory(fs::symlink_status(docs, code))) return {};
  for (fs::directory_iterator it(docs, code), end; !code && it != end; it.increment(code)) {
    if (it->is_symlink() || !it->is_directory()) continue;
    const auto removed = remove_children(
        it->path(), [](const fs::directory_entry& entry) { return entry.path().filename() != "copyright"; });
    if (!removed) return removed;
  }
  if (code) return base::system_error("list", docs.string(), code.value());
  return {};
}

base::Status remove_attributes(const char* path) {
  for (const char* name : {"security.capability", "system.posix_acl_access", "system.posix_acl_default"}) {
    if (::lremovexattr(path, name) == 0 || errno == ENODATA || errno == ENOTSUP) continue;
    return base::system_error("remove_attribute", path);
  }
  return {};
}

base::Status normalise(const fs::path& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return base::system_error("stat", path.string());
  if (::lchown(path.c_str(), 0, 0) != 0) return base::system_error("chown", path.string());
  if (S_ISLNK(status.st_mode)) return {};
  if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) {
    if (::unlink(path.c_str()) != 0) return base::system_error("unlink", path.string());
    return {};
  }
  if (const auto removed = remove_attributes(path.c_str()); !removed) return removed;
  const bool executable = S_ISDIR(status.st_mode) || (status.st_mode & 0111) != 0;
  if (::chmod(path.c_str(), executable ? 0755 : 0644) != 0) return base::system_error("chmod", path.string());
  return {};
}

}  // namespace

base::Status strip_tree(const fs::path& root) {
  if (const auto stripped = strip_known(root); !stripped) return stripped;
  if (const auto stripped = strip_docs(root); !stripped) return stripped;
  if (const auto normal = normalise(root); !normal) return normal;
  std::error_code code;
  std::vector<fs::path> entries;
  for (fs::recursive_directory_iterator it(root, code), end; !code && it != end; it.increment(code)) {
    entries.push_back(it->path());
  }
  if (code) return base::system_error("list", root.string(), code.value());
  for (const fs::path& entry : entries) {
    if (const auto normal = normalise(entry); !normal) return normal;
  }
  return {};
}

base::Status remove_tree(const fs::path& path) {
  const auto mounts = read_text_file("/proc/self/mountinfo");
  if (!mounts) return std::unexpected(mounts.error());
  std::error_code code;
  const fs::path real = fs::weakly_canonical(path, code);
  if (code) return base::system_error("remove", path.string(), code.value());
  if (mounts->find(" " + real.string() + "/") != std::string::npos) {
    return base::failure(base::Code::kConflict, "remove",
                         real.string() + " has something mounted below it; unmount it first");
  }
  return remove_entry(path);
}

}  // namespace outrigger::runtime
