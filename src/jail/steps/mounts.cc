#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/steps/steps.h"
#include "jail/template.h"

namespace outrigger::jail {
namespace {

constexpr unsigned long kScratchFlags = MS_NOSUID | MS_NODEV;

// Paths are relative to the new root, which mount_root made the working directory.
bool make_owned_dir(const char* path) { return ::mkdir(path, 0755) == 0 && ::chown(path, kGuestId, kGuestId) == 0; }

}  // namespace

StepResult mount_root(const char* source, const char* target) {
  if (::mount(source, target, nullptr, MS_BIND | MS_REC, nullptr) != 0) return failed(Step::kMountRoot);
  if (::chdir(target) != 0) return failed(Step::kMountRoot);
  return done();
}

StepResult mount_pristine(const char* source) {
  constexpr const char* kTarget = kPristineImage + 1;  // without the slash: below the future root
  if (::mount(source, kTarget, nullptr, MS_BIND | MS_REC, nullptr) != 0) return failed(Step::kMountRoot);
  return done();
}

StepResult mount_tmp(const Plan& plan) {
  char options[128];
  ::snprintf(options, sizeof options, "mode=1777,size=%llu,nr_inodes=%llu",
             static_cast<unsigned long long>(plan.tmpfs_bytes), static_cast<unsigned long long>(plan.tmpfs_inodes));
  if (::mount("tmpfs", "tmp", "tmpfs", kScratchFlags, options) != 0) return failed(Step::kMountTmp);
  if (!make_owned_dir("tmp/work") || !make_owned_dir("tmp/home")) return failed(Step::kMountTmp);
  return done();
}

StepResult mount_shm(const Plan& plan) {
  char options[128];
  ::snprintf(options, sizeof options, "mode=1777,size=%llu,nr_inodes=1024",
             static_cast<unsigned long long>(plan.shm_bytes));
  if (::mount("tmpfs", "dev/shm", "tmpfs", kScratchFlags | MS_NOEXEC, options) != 0) return failed(Step::kMountShm);
  return done();
}

StepResult pivot() {
  // pivot_root(".", ".") stacks the old root on the new one; the detach then drops it (pivot_root(2), NOTES).
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return failed(Step::kPivotRoot);
  if (::umount2(".", MNT_DETACH) != 0) return failed(Step::kPivotRoot);
  if (::chdir("/") != 0) return failed(Step::kPivotRoot);
  return done();
}

}  // namespace outrigger::jail
