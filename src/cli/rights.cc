#include "cli/rights.h"

#include <fcntl.h>
#include <linux/capability.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "sys/small_file.h"

namespace outrigger::cli {
namespace {

constexpr std::array kNeeded{
    std::pair{CAP_SYS_ADMIN, "CAP_SYS_ADMIN"}, std::pair{CAP_SETUID, "CAP_SETUID"},
    std::pair{CAP_SETGID, "CAP_SETGID"},       std::pair{CAP_CHOWN, "CAP_CHOWN"},
    std::pair{CAP_KILL, "CAP_KILL"},           std::pair{CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE"}};

// proc(5): the effective set as hexadecimal digits. Where it can't be read there are none to rely on.
std::uint64_t effective_capabilities() {
  constexpr std::string_view kKey = "CapEff:";
  const auto status = sys::read_file_at(AT_FDCWD, "/proc/self/status");
  const auto at = status ? status->find(kKey) : std::string::npos;
  return at == std::string::npos ? 0 : std::strtoull(status->c_str() + at + kKey.size(), nullptr, 16);
}

}  // namespace

std::string missing_capabilities() {
  const std::uint64_t effective = effective_capabilities();
  std::string missing;
  for (const auto& [bit, name] : kNeeded) {
    if ((effective >> bit & 1) == 0) missing += (missing.empty() ? "" : " ") + std::string(name);
  }
  return missing;
}

}  // namespace outrigger::cli
