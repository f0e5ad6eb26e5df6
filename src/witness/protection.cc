#include "witness/protection.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "base/log.h"
#include "sys/small_file.h"

namespace outrigger::witness {

void protect_from_oom_killer() {
  // Not -1000: where nothing else is left to kill, the machine goes before the witness.
  const auto lowered = sys::write_file_at(AT_FDCWD, "/proc/self/oom_score_adj", "-900");
  if (lowered) return;
  base::log(
      base::Level::kWarn, "not_protected",
      {{"error", lowered.error().text()}, {"remedy", "give it CAP_SYS_RESOURCE, or OOMScoreAdjust= in its unit"}});
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  // Where it is refused, what is there must do: groups beyond it are opened by name.
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

}  // namespace outrigger::witness
