#include "jailer/stage.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>

#include "base/unique_fd.h"
#include "jail/plan.h"

namespace outrigger::jailer {
namespace {

constexpr unsigned long kProcFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
constexpr const char* kStage = "/tmp";  // any directory: what is under it disappears with the old root

// open_tree, mount_setattr and move_mount have no wrappers in glibc 2.36's oldest supported headers.
base::Result<base::UniqueFd> clone_tree(const std::string& path) {
  const long fd = ::syscall(SYS_open_tree, AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (fd < 0) return base::system_error("open_image", path);
  return base::UniqueFd(static_cast<int>(fd));
}

base::Status make_read_only(int tree, const std::string& path) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (::syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes) != 0) {
    return base::system_error("image_read_only", path);
  }
  return {};
}

struct Device {
  const char* name;
  unsigned minor;
};
constexpr unsigned kMemoryMajor = 1;  // Documentation/admin-guide/devices.txt
constexpr std::array<Device, 5> kDevices{{{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}}};
constexpr std::array<std::array<const char*, 2>, 4> kLinks{{{"fd", "/proc/self/fd"},
                                                            {"stdin", "/proc/self/fd/0"},
                                                            {"stdout", "/proc/self/fd/1"},
                                                            {"stderr", "/proc/self/fd/2"}}};

// What only the /dev of a jail with a terminal has: the place for its devpts, and the name of whatever terminal
// controls a process.
base::Status lay_terminal_devices(const std::string& dir) {
  constexpr unsigned kTtyMajor = 5;  // with minor 0: /dev/tty
  const std::string tty = dir + "/tty";
  if (::mknod(tty.c_str(), S_IFCHR | 0666, makedev(kTtyMajor, 0)) != 0) return base::system_error("dev_nodes", tty);
  if (::mkdir((dir + "/pts").c_str(), 0755) != 0) return base::system_error("dev_nodes", "pts");
  return {};
}

// A device tmpfs of the initial user namespace: in one mounted by the jail no device could be opened. Jails share it
// read-only; opening a device to write needs no writable mount.
base::Status lay_devices(const std::string& dir, bool terminal) {
  if (::mount("tmpfs", dir.c_str(), "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k,nr_inodes=32") != 0) {
    return base::system_error("mount_dev", dir);
  }
  for (const auto& [name, minor] : kDevices) {
    const std::string path = dir + "/" + name;
    if (::mknod(path.c_str(), S_IFCHR | 0666, makedev(kMemoryMajor, minor)) != 0)
      return base::system_error("dev_nodes", path);
  }
  for (const auto& [name, target] : kLinks) {
    if (::symlink(target, (dir + "/" + name).c_str()) != 0) return base::system_error("dev_nodes", name);
  }
  if (::mkdir((dir + "/shm").c_str(), 0755) != 0) return base::system_error("dev_nodes", "shm");
  if (terminal) {
    if (base::Status status = lay_terminal_devices(dir); !status) return status;
  }
  if (::mount(nullptr, dir.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC, nullptr) != 0) {
    return base::system_error("mount_dev", "read-only");
  }
  return {};
}

base::Status lay_image(int tree, const std::string& target) {
  if (::mkdir(target.c_str(), 0755) != 0) return base::system_error("stage", target);
  if (::syscall(SYS_move_mount, tree, "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return base::system_error("mount_image", target);
  }
  for (const char* needed : {"/dev", "/proc", "/tmp", "/mnt"}) {
    struct stat info{};
    if (::stat((target + needed).c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
      return base::failure(base::Code::kUnsupported, "mount_image",
                           std::string("the image has no directory ") + needed);
    }
  }
  return lay_devices(target + "/dev", false);
}

base::Status enter_stage() {
  if (::chdir(kStage) != 0) return base::system_error("stage", kStage);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return base::system_error("stage", "pivot_root");
  if (::umount2(".", MNT_DETACH) != 0) return base::system_error("stage", "detach");
  if (::chdir("/") != 0) return base::system_error("stage", "/");
  return {};
}

}  // namespace

base::Status build_stage(const std::vector<std::string>& images) {
  ::umask(0);  // device nodes and directories get the modes asked for
  if (::unshare(CLONE_NEWNS) != 0) return base::system_error("stage", "unshare");
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return base::system_error("stage", "private");
  std::vector<base::UniqueFd> trees;
  for (const std::string& image : images) {
    auto tree = clone_tree(image);
    if (!tree) return std::unexpected(tree.error());
    if (base::Status status = make_read_only(tree->get(), image); !status) return status;
    trees.push_back(std::move(*tree));
  }
  const std::string stage = kStage;
  if (::mount("tmpfs", kStage, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=64k") != 0)
    return base::system_error("stage", "tmpfs");
  for (const char* dir : {"/images", "/proc", "/root", jail::kTerminalDevices}) {
    if (::mkdir((stage + dir).c_str(), 0755) != 0) return base::system_error("stage", dir);
  }
  if (base::Status status = lay_devices(stage + jail::kTerminalDevices, true); !status) return status;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (base::Status status = lay_image(trees[i].get(), stage + "/images/" + std::to_string(i)); !status) return status;
  }
  if (::mount("proc", (stage + "/proc").c_str(), "proc", kProcFlags, nullptr) != 0)
    return base::system_error("stage", "proc");
  return enter_stage();
}

}  // namespace outrigger::jailer
