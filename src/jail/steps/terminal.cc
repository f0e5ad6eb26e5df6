#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

#include "jail/steps/steps.h"

// Paths are relative to the new root, which mount_root made the working directory.
namespace outrigger::jail {

StepResult mount_terminal() {
  if (::mount(kTerminalDevices, "dev", nullptr, MS_BIND | MS_REC, nullptr) != 0) return failed(Step::kMountTerminal);
  char options[96];
  ::snprintf(options, sizeof options, "newinstance,ptmxmode=0600,mode=0600,uid=%u,gid=%u,max=1", kGuestId, kGuestId);
  if (::mount("devpts", "dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, options) != 0) return failed(Step::kMountTerminal);
  return done();
}

StepResult open_terminal(int* master, int* slave) {
  *master = ::open("dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0) return failed(Step::kOpenTerminal);
  const int unlocked = 0;
  if (::ioctl(*master, TIOCSPTLCK, &unlocked) != 0) return failed(Step::kOpenTerminal);
  // It is the guest's, and this process may only read what is not its own.
  *slave = ::open(kTerminalPath + 1, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (*slave < 0) return failed(Step::kOpenTerminal);
  return done();
}

}  // namespace outrigger::jail
