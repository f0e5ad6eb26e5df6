#include "run/violation.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <array>
#include <charconv>

#include "jail/filter_builder.h"

namespace outrigger::run {
namespace {

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

// What the kernel says of it: POLLIN only for a call that is held, POLLHUP once no task is left (seccomp_unotify(2)).
short readiness(int listener) {
  pollfd entry{listener, POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0 ? entry.revents : short{0};
}

}  // namespace

bool is_abandoned(int listener) { return (readiness(listener) & (POLLHUP | POLLIN)) == POLLHUP; }

std::optional<Violation> take_violation(int listener) {
  // Kernels before 6.11 wait in the ioctl for a call that nobody is left to make.
  if ((readiness(listener) & POLLIN) == 0) return std::nullopt;
  seccomp_notif notification{};  // must be zeroed, the kernel checks
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) return std::nullopt;
  Violation violation;
  violation.syscall = jail::syscall_name(notification.data.arch, notification.data.nr);
  for (const std::uint64_t argument : notification.data.args) violation.args.push_back(hexadecimal(argument));
  return violation;
}

}  // namespace outrigger::run
