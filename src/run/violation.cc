#include "run/violation.h"

#include <linux/seccomp.h>
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

}  // namespace

std::optional<Violation> take_violation(int listener) {
  seccomp_notif notification{};  // must be zeroed, the kernel checks
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) return std::nullopt;
  Violation violation;
  violation.syscall = jail::syscall_name(notification.data.arch, notification.data.nr);
  for (const std::uint64_t argument : notification.data.args) violation.args.push_back(hexadecimal(argument));
  return violation;
}

}  // namespace outrigger::run
