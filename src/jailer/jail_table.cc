#include "jailer/jail_table.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>

#include "base/ids.h"
#include "jail/plan.h"
#include "sys/process.h"

namespace outrigger::jailer {
namespace {

// sandbox_init is one task more than the guest was promised.
constexpr std::uint64_t kInitTasks = 1;
// rmdir answers EBUSY while the last task is still on its way out, which takes a moment, not seconds.
constexpr int kMaxRemovalAttempts = 5000;

jail::Plan plan_of(const Request& request, const jail::Group& group) {
  jail::Plan plan;
  plan.image = request.runtime;
  plan.cgroup_fds = static_cast<std::uint32_t>(group.join_files.size());
  plan.tmpfs_bytes = request.tmpfs_bytes;
  plan.tmpfs_inodes = std::max(kMinInodes, request.tmpfs_bytes / kBytesPerInode);
  plan.shm_bytes = request.tmpfs_bytes;
  return plan;
}

}  // namespace

JailTable::JailTable(Settings settings, std::unique_ptr<jail::CgroupDriver> cgroups)
    : settings_(std::move(settings)), cgroups_(std::move(cgroups)) {
  for (std::uint32_t slot = settings_.limits.slots; slot-- > 0;) free_slots_.push_back(slot);
}

// The daemon has checked all this; a daemon that was taken over may not have.
base::Status JailTable::check(const Request& request) const {
  const Begin& most = settings_.limits;
  if (!base::is_job_id(request.job_id.str())) return base::failure(base::Code::kInvalid, "check_request", "job id");
  if (request.runtime >= settings_.filters.size())
    return base::failure(base::Code::kInvalid, "check_request", "runtime");
  // An interpreter may be primed with a whole core; its job gets what kArm says.
  const std::uint64_t max_quota = std::max(most.max_cpu_quota_micros, jail::kCpuPeriodMicros);
  const bool within = request.memory_bytes > 0 && request.memory_bytes <= most.max_memory_bytes &&
                      request.tmpfs_bytes > 0 && request.tmpfs_bytes <= most.max_tmpfs_bytes && request.pids > 0 &&
                      request.pids <= most.max_pids && request.cpu_quota_micros > 0 &&
                      request.cpu_quota_micros <= max_quota;
  if (!within) return base::failure(base::Code::kInvalid, "check_request", "limits above the ceilings");
  return {};
}

base::Result<JailTable::Built> JailTable::build(const Request& request) {
  if (const base::Status fine = check(request); !fine) return std::unexpected(fine.error());
  if (free_slots_.empty()) return base::failure(base::Code::kExhausted, "host_ids", "every pair of host ids is in use");
  const std::uint32_t slot = free_slots_.back();
  auto built = spawn(request, slot);
  if (!built) return built;
  free_slots_.pop_back();
  return built;
}

base::Result<JailTable::Built> JailTable::spawn(const Request& request, std::uint32_t slot) {
  const std::string name = request.job_id.str();
  auto group = cgroups_->make(name, {request.memory_bytes, request.pids + kInitTasks, request.cpu_quota_micros});
  if (!group) return std::unexpected(group.error());
  const std::uint32_t first_id = settings_.ids.first_id(slot);
  const SpawnOptions options{settings_.sandbox_init.get(), settings_.filters[request.runtime].get(), first_id,
                             settings_.networks.slot(slot), settings_.networks.home()};
  auto spawned = spawn_jail(plan_of(request, *group), *group, options);
  if (!spawned) {
    (void)cgroups_->remove(name);
    return std::unexpected(spawned.error());
  }
  // The jailer keeps a pidfd of its own: the daemon's may be closed long before it asks for the end.
  base::UniqueFd pidfd(::dup(spawned->init.pidfd.get()));
  if (!pidfd) {
    (void)sys::send_signal(spawned->init.pidfd.get(), SIGKILL);
    pidfd = std::move(spawned->init.pidfd);
  }
  const std::uint64_t handle = next_handle_++;
  entries_.emplace(handle, Entry{name, slot, std::move(pidfd), false, std::nullopt, 0});
  return Built{handle, std::move(*spawned), std::move(group->dirs)};
}

void JailTable::kill(Entry& entry) {
  if (entry.init_status) return;
  cgroups_->unthrottle(entry.name);
  (void)sys::send_signal(entry.pidfd.get(), SIGKILL);
}

void JailTable::kill(std::uint64_t handle) {
  if (const auto found = entries_.find(handle); found != entries_.end()) kill(found->second);
}

void JailTable::arm(const Request& request) {
  const auto found = entries_.find(request.handle);
  if (found == entries_.end()) return;
  const bool allowed =
      request.cpu_quota_micros > 0 && request.cpu_quota_micros <= settings_.limits.max_cpu_quota_micros;
  if (!allowed || !cgroups_->set_quota(found->second.name, request.cpu_quota_micros)) kill(found->second);
}

bool JailTable::begin_destroy(std::uint64_t handle) {
  const auto found = entries_.find(handle);
  if (found == entries_.end() || found->second.destroying) return false;
  found->second.destroying = true;
  // Most have ended by themselves: then there is nothing to unthrottle and nobody to kill.
  if (const auto reaped = sys::reap(found->second.pidfd.get()); reaped && *reaped) found->second.init_status = **reaped;
  kill(found->second);
  return true;
}

bool JailTable::advance(Entry& entry, base::Status& status) {
  if (!entry.init_status) {
    const auto reaped = sys::reap(entry.pidfd.get());
    if (reaped && !*reaped) return false;
    entry.init_status = reaped ? **reaped : -1;
  }
  status = cgroups_->remove(entry.name);
  if (status) return true;
  const bool busy = status.error().errno_value == EBUSY && ++entry.removal_attempts < kMaxRemovalAttempts;
  return !busy;
}

std::vector<JailTable::Destroyed> JailTable::progress() {
  std::vector<Destroyed> gone;
  for (auto at = entries_.begin(); at != entries_.end();) {
    base::Status status;
    if (!at->second.destroying || !advance(at->second, status)) {
      ++at;
      continue;
    }
    gone.push_back({at->first, at->second.init_status.value_or(-1), status});
    free_slots_.push_back(at->second.slot);
    at = entries_.erase(at);
  }
  return gone;
}

std::vector<int> JailTable::pending_pidfds(bool& retry_soon) const {
  std::vector<int> fds;
  retry_soon = false;
  for (const auto& [handle, entry] : entries_) {
    if (!entry.destroying) continue;
    if (entry.init_status) {
      retry_soon = true;
    } else {
      fds.push_back(entry.pidfd.get());
    }
  }
  return fds;
}

void JailTable::shut_down() {
  for (auto& [handle, entry] : entries_) {
    entry.destroying = true;
    kill(entry);
  }
  while (!entries_.empty()) {
    (void)progress();
    bool retry_soon = false;
    std::vector<pollfd> waits;
    for (const int fd : pending_pidfds(retry_soon)) waits.push_back({fd, POLLIN, 0});
    if (!entries_.empty()) ::poll(waits.data(), waits.size(), retry_soon ? 1 : 1000);
  }
  cgroups_->close();
}

}  // namespace outrigger::jailer
