#include <poll.h>
#include <unistd.h>

#include "jail/cgroup_driver.h"

namespace outrigger::jail {
namespace {

using namespace std::chrono_literals;
// What a killed jailer left dies in milliseconds; only a machine in trouble takes so long.
constexpr auto kSweepPatience = 2s;

using Opened = base::Result<std::unique_ptr<CgroupDriver>>;

// What mounting and listing can't promise, doing does.
base::Status try_out(CgroupDriver& driver) {
  const std::string name = "probe-" + std::to_string(::getpid());
  const auto group = driver.make(name, {64ULL << 20, 8, 50'000});
  if (!group) return std::unexpected(group.error());
  const sys::Counters counters = sys::read_counters(group->dirs);
  if (const base::Status removed = driver.remove(name); !removed) return removed;
  if (!counters.cpu_usage) return base::failure(base::Code::kUnsupported, "read_cgroup", "no CPU time is counted");
  if (!counters.oom_kills) return base::failure(base::Code::kUnsupported, "read_cgroup", "no OOM kills are counted");
  return {};
}

Opened tried(Opened driver) {
  if (!driver) return driver;
  if (const base::Status status = try_out(**driver); !status) return std::unexpected(status.error());
  (void)(*driver)->sweep_within(kSweepPatience);
  return driver;
}

}  // namespace

base::Result<Group> CgroupDriver::make(const std::string& name, const GroupLimits& limits) {
  // Between making a directory and locking it, another daemon that is just starting may take it for abandoned.
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    auto group = try_make(name, limits);
    if (group || attempt == kAttempts) return group;
    const int reason = group.error().errno_value;
    if (reason != EWOULDBLOCK && reason != ENODEV && reason != ENOENT) return group;
  }
}

bool CgroupDriver::sweep_within(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!sweep()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

Opened probe_cgroup_driver(const std::string& root) {
  const auto found = sys::discover_hierarchies();
  if (!found) return std::unexpected(found.error());
  Opened v2 = tried(open_cgroup_v2(*found, root));
  if (v2) return v2;
  Opened v1 = tried(open_cgroup_v1(*found, root));
  if (v1) return v1;
  return base::failure(base::Code::kUnsupported, "probe_cgroup",
                       "v2: " + v2.error().text() + "; v1: " + v1.error().text());
}

}  // namespace outrigger::jail
