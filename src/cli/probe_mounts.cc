#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "cli/probe.h"
#include "jail/plan.h"

namespace outrigger::cli {
namespace {

using Answer = base::Result<std::string>;
using base::system_error;

constexpr char kScratch[] = "/tmp";

// A jail's ids before it mounts anything: else the tmpfs would belong to an id that is not mapped.
base::Status become_init() {
  if (::setresgid(jail::kInitId, jail::kInitId, jail::kInitId) != 0) return system_error("setresgid");
  if (::setresuid(jail::kInitId, jail::kInitId, jail::kInitId) != 0) return system_error("setresuid");
  return {};
}

base::Status make_private() {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return system_error("make_private", "/");
  return {};
}

base::Status mount_tmpfs() {
  if (const auto made = make_private(); !made) return made;
  if (::mount("tmpfs", kScratch, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=755") != 0) {
    return system_error("mount_tmpfs", kScratch);
  }
  return {};
}

Answer tmpfs() {
  if (const auto mounted = mount_tmpfs(); !mounted) return std::unexpected(mounted.error());
  const base::UniqueFd file(::open("/tmp/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  if (!file) return system_error("create", "/tmp/file");
  return "mounted one and wrote to it";
}

Answer proc() {
  if (const auto mounted = mount_tmpfs(); !mounted) return std::unexpected(mounted.error());
  if (::mkdir("/tmp/proc", 0755) != 0) return system_error("mkdir", "/tmp/proc");
  if (::mount("proc", "/tmp/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2") != 0) {
    return system_error("mount_proc");
  }
  if (::access("/tmp/proc/1/status", R_OK) != 0) return system_error("read", "/proc/1/status");
  return "mounted a fresh one with hidepid=2";
}

Answer tree() {
  if (const auto mounted = mount_tmpfs(); !mounted) return std::unexpected(mounted.error());
  const base::UniqueFd copy(
      static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, "/usr", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE)));
  if (!copy) return system_error("open_tree", "/usr");
  mount_attr read_only{};
  read_only.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (::syscall(SYS_mount_setattr, copy.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &read_only, sizeof read_only) != 0) {
    return system_error("mount_setattr");
  }
  if (::mkdir("/tmp/tree", 0755) != 0) return system_error("mkdir", "/tmp/tree");
  if (::syscall(SYS_move_mount, copy.get(), "", AT_FDCWD, "/tmp/tree", MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return system_error("move_mount");
  }
  if (::mkdir("/tmp/tree/outrigger-probe", 0755) == 0 || errno != EROFS) {
    return base::failure(base::Code::kUnsupported, "mount_setattr", "the tree is not read-only");
  }
  return "mounted a tree read-only";
}

Answer pivot() {
  if (const auto mounted = mount_tmpfs(); !mounted) return std::unexpected(mounted.error());
  if (::mkdir("/tmp/inside", 0755) != 0) return system_error("mkdir", "/tmp/inside");
  if (::chdir(kScratch) != 0) return system_error("chdir", kScratch);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return system_error("pivot_root");
  if (::umount2(".", MNT_DETACH) != 0) return system_error("unmount_old_root");
  if (::access("/inside", F_OK) != 0 || ::access("/usr", F_OK) == 0) {
    return base::failure(base::Code::kUnsupported, "pivot_root", "the old root is still there");
  }
  return "changed the root and left the old one";
}

}  // namespace

std::vector<Finding> probe_mounts(const config::Jail& jail) {
  const auto inside = [&jail](Answer (*body)()) {
    return in_user_namespace(jail.uid_base, CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS,
                             [body]() -> Answer {
                               if (const auto became = become_init(); !became) return std::unexpected(became.error());
                               return body();
                             });
  };
  const std::string container = "in a container, start it privileged";
  return {finding_of("mount.tmpfs", container, inside(tmpfs)),
          finding_of("mount.proc",
                     "nothing may cover this machine's /proc: " + container + " or with its system paths unmasked",
                     inside(proc)),
          finding_of("mount.tree", "needs kernel 5.12 or newer; " + container, inside(tree)),
          finding_of("pivot_root", "the root must be a mounted file system, not the initial ramfs; " + container,
                     inside(pivot))};
}

}  // namespace outrigger::cli
