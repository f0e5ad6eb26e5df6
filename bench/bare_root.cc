#include "bare_root.h"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace outrigger::bench {
namespace {

base::Status mount_at(const char* source, const std::string& target, const char* type, unsigned long flags) {
  if (::mount(source, target.c_str(), type, flags, nullptr) != 0) return base::system_error("mount", target);
  return {};
}

}  // namespace

base::Status enter_bare_root(const std::string& root) {
  if (::unshare(CLONE_NEWNS) != 0) return base::system_error("unshare");
  base::Status status = mount_at(nullptr, "/", nullptr, MS_REC | MS_PRIVATE);
  if (status) status = mount_at("/proc", root + "/proc", nullptr, MS_BIND | MS_REC);
  if (status) status = mount_at("/dev", root + "/dev", nullptr, MS_BIND | MS_REC);
  if (status) status = mount_at("tmpfs", root + "/tmp", "tmpfs", MS_NOSUID | MS_NODEV);
  if (!status) return status;
  if (::chroot(root.c_str()) != 0 || ::chdir("/tmp") != 0) return base::system_error("chroot", root);
  return {};
}

}  // namespace outrigger::bench
