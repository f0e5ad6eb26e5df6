#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/steps/steps.h"

namespace outrigger::jail {

StepResult load_filter(int* listener) {
  // BPF_MAXINSNS (4096) is the kernel's own limit for a filter.
  static sock_filter instructions[BPF_MAXINSNS];
  const ssize_t bytes = ::pread(kFilterFd, instructions, sizeof instructions, 0);
  if (bytes <= 0 || static_cast<size_t>(bytes) % sizeof(sock_filter) != 0) {
    return failed(Step::kSeccomp, bytes < 0 ? errno : EINVAL);
  }
  sock_fprog program{static_cast<unsigned short>(static_cast<size_t>(bytes) / sizeof(sock_filter)), instructions};
  const unsigned flags = listener != nullptr ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0U;
  const long result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (result < 0) return failed(Step::kSeccomp);
  if (listener != nullptr) *listener = static_cast<int>(result);
  return done();
}

}  // namespace outrigger::jail
