#include <sys/mount.h>

#include "jail/steps/steps.h"

namespace outrigger::jail {
namespace {

// Files and directories that tell of the host or reach into it. What a kernel does not have needs no cover.
constexpr const char* kMaskedFiles[] = {
    "proc/cmdline",    "proc/config.gz",     "proc/interrupts",    "proc/iomem",      "proc/ioports",
    "proc/kallsyms",   "proc/kcore",         "proc/key-users",     "proc/keys",       "proc/kmsg",
    "proc/kpagecount", "proc/latency_stats", "proc/modules",       "proc/mtrr",       "proc/sched_debug",
    "proc/slabinfo",   "proc/softirqs",      "proc/sysrq-trigger", "proc/timer_list", "proc/vmallocinfo",
    "proc/zoneinfo",   "proc/diskstats",     "proc/partitions",    "proc/swaps",
};
constexpr const char* kMaskedDirs[] = {
    "proc/acpi", "proc/asound",   "proc/bus",  "proc/driver",  "proc/dynamic_debug", "proc/fs",
    "proc/irq",  "proc/pressure", "proc/scsi", "proc/sysvipc", "proc/tty",
};

constexpr unsigned long kProcFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
constexpr const char* kEmptyFile = "dev/null";
constexpr const char* kEmptyDir = "mnt";  // empty in every image

StepResult mask(const char* source, const char* target) {
  if (::mount(source, target, nullptr, MS_BIND, nullptr) == 0 || errno == ENOENT) return done();
  return failed(Step::kMaskProc);
}

}  // namespace

StepResult mount_proc() {
  if (::mount("proc", "proc", "proc", kProcFlags | MS_RDONLY, "hidepid=2") != 0) return failed(Step::kMountProc);
  return done();
}

StepResult mount_open_proc() {
  if (::mount("proc", "proc", "proc", kProcFlags, nullptr) != 0) return failed(Step::kMountProc);
  return done();
}

StepResult mask_proc() {
  for (const char* file : kMaskedFiles) {
    if (const StepResult result = mask(kEmptyFile, file); !result.ok()) return result;
  }
  for (const char* dir : kMaskedDirs) {
    if (const StepResult result = mask(kEmptyDir, dir); !result.ok()) return result;
  }
  return done();
}

}  // namespace outrigger::jail
