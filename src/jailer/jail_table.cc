#include "jailer/jail_table.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

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

jail::GroupLimits limits_of(const Request& request) {
  return {request.memory_bytes, request.pids + kInitTasks, request.cpu_quota_micros};
}

jail::Plan plan_of(const Request& request, const jail::Group& group) {
  jail::Plan plan;
  plan.image = request.runtime;
  plan.terminal = request.terminal != 0 ? 1 : 0;
  plan.cgroup_fds = static_cast<std::uint32_t>(group.join_files.size());
  plan.tmpfs_bytes = request.tmpfs_bytes;
  plan.tmpfs_inodes = std::max(kMinInodes, request.tmpfs_bytes / kBytesPerInode);
  plan.shm_bytes = request.tmpfs_bytes;
  return plan;
}

}  // namespace

JailTable::JailTable(Settings settings, std::unique_ptr<jail::CgroupDriver> cgroups,
                     std::unique_ptr<Templates> templates)
    : settings_(std::move(settings)),
      cgroups_(std::move(cgroups)),
      templates_(std::move(templates)),
      next_handle_(settings_.first_handle) {
  for (std::uint32_t slot = settings_.limits.slots; slot-- > 0;) free_slots_.push_back(slot);
}

// A whole core is always allowed: an interpreter may be primed with it, its job gets what kArm says; and sandbox_init
// may have it to collect files when the guest has ended.
bool JailTable::quota_is_allowed(std::uint64_t micros) const {
  return micros > 0 && micros <= std::max(settings_.limits.max_cpu_quota_micros, jail::kCpuPeriodMicros);
}

// The daemon has checked all this; a daemon that was taken over may not have.
base::Status JailTable::check(const Request& request) const {
  const Begin& most = settings_.limits;
  if (!base::is_job_id(request.job_id.str())) return base::failure(base::Code::kInvalid, "check_request", "job id");
  if (request.runtime >= settings_.filters.size())
    return base::failure(base::Code::kInvalid, "check_request", "runtime");
  const bool within = request.memory_bytes > 0 && request.memory_bytes <= most.max_memory_bytes &&
                      request.tmpfs_bytes > 0 && request.tmpfs_bytes <= most.max_tmpfs_bytes && request.pids > 0 &&
                      request.pids <= most.max_pids && quota_is_allowed(request.cpu_quota_micros);
  if (!within) return base::failure(base::Code::kInvalid, "check_request", "limits above the ceilings");
  if (request.terminal != 0 && request.from_template != 0)
    return base::failure(base::Code::kInvalid, "check_request", "a terminal for a forked guest");
  return {};
}

base::Result<std::optional<JailTable::Built>> JailTable::build(const Request& request) {
  if (const base::Status fine = check(request); !fine) return std::unexpected(fine.error());
  if (free_slots_.empty()) return base::failure(base::Code::kExhausted, "host_ids", "every pair of host ids is in use");
  const std::uint32_t slot = free_slots_.back();
  std::optional<Built> now;
  if (request.from_template != 0) {
    if (const base::Status asked = ask_template(request, slot); !asked) return std::unexpected(asked.error());
  } else {
    auto built = spawn(request, slot);
    if (!built) return std::unexpected(built.error());
    now = std::move(*built);
  }
  free_slots_.pop_back();
  return now;
}

base::Result<JailTable::Built> JailTable::spawn(const Request& request, std::uint32_t slot) {
  const std::string name = request.job_id.str();
  auto group = cgroups_->make(name, limits_of(request));
  if (!group) return std::unexpected(group.error());
  const std::uint32_t first_id = settings_.ids.first_id(slot);
  const SpawnOptions options{settings_.sandbox_init.get(), settings_.filters[request.runtime].get(), first_id,
                             settings_.networks.slot(slot), settings_.networks.home()};
  auto spawned = spawn_jail(plan_of(request, *group), *group, options);
  if (!spawned) {
    (void)cgroups_->remove(name);
    return std::unexpected(spawned.error());
  }
  Entry entry;
  entry.name = name;
  entry.slot = slot;
  entry.mounts = std::move(spawned->mounts);
  entry.group_locks = std::move(group->locks);
  return add(std::move(entry), std::move(spawned->init.pidfd), std::move(spawned->ends), std::move(group->dirs));
}

// The jailer keeps a pidfd of its own: the daemon's may be closed long before it asks for the end.
JailTable::Built JailTable::add(Entry entry, base::UniqueFd pidfd, JailEnds ends, sys::GroupDirs group) {
  Built built;
  built.handle = next_handle_++;
  entry.pidfd.reset(::dup(pidfd.get()));
  if (!entry.pidfd) {
    (void)sys::send_signal(pidfd.get(), SIGKILL);
    entry.pidfd = std::move(pidfd);
  }
  entries_.emplace(built.handle, std::move(entry));
  built.pidfd = std::move(pidfd);
  built.ends = std::move(ends);
  built.group = std::move(group);
  return built;
}

base::Status JailTable::ask_template(const Request& request, std::uint32_t slot) {
  const auto chosen = templates_->choose(request.runtime);
  if (!chosen) return std::unexpected(chosen.error());
  Awaited awaited;
  awaited.sequence = request.sequence;
  awaited.entry.name = request.job_id.str();
  awaited.entry.slot = slot;
  awaited.entry.made_by = chosen->id;
  auto group = cgroups_->make(awaited.entry.name, limits_of(request));
  base::Status status =
      group ? send_to(*chosen, request, slot, *group, awaited) : base::Status(std::unexpected(group.error()));
  if (!status) {
    if (group) (void)cgroups_->remove(awaited.entry.name);
    templates_->release(chosen->id);
    return status;
  }
  awaited.group = std::move(group->dirs);
  awaited.entry.group_locks = std::move(group->locks);
  awaited_.emplace(next_sequence_++, std::move(awaited));
  return {};
}

base::Status JailTable::send_to(const Templates::Chosen& chosen, const Request& request, std::uint32_t slot,
                                const jail::Group& group, Awaited& awaited) {
  base::Status status = cgroups_->admit(awaited.entry.name, chosen.host_id);
  if (!status) return status;
  auto channels = open_channels(settings_.ids.first_id(slot) + 1);
  if (!channels) return std::unexpected(channels.error());
  jail::TemplateRequest message;
  message.sequence = next_sequence_;
  message.first_id = jail::kFirstJailId + jail::kIdsPerJail * slot;
  message.warm_up = request.warm_up;
  message.plan = plan_of(request, group);
  std::vector<int> fds;
  for (const base::UniqueFd& fd : channels->jail) fds.push_back(fd.get());
  if (group.clone_into() >= 0) {
    message.cgroup_v2 = 1;
    fds.push_back(group.clone_into());
  }
  for (const base::UniqueFd& fd : group.join_files) fds.push_back(fd.get());
  status = templates_->send(chosen.id, message, fds);
  awaited.ends = std::move(channels->daemon);
  return status;
}

std::vector<JailTable::Forked> JailTable::take_forked() {
  std::vector<Forked> forked;
  for (Templates::Event& event : templates_->take_events()) {
    for (auto at = awaited_.begin(); at != awaited_.end();) {
      const bool meant = event.sequence ? at->first == *event.sequence : at->second.entry.made_by == event.template_id;
      if (!meant) {
        ++at;
        continue;
      }
      Awaited awaited = std::move(at->second);
      at = awaited_.erase(at);
      if (event.pidfd) {
        forked.push_back(finish(std::move(awaited), std::move(event.pidfd)));
      } else {
        forked.push_back(finish(std::move(awaited), std::unexpected(event.pidfd.error())));
      }
    }
  }
  return forked;
}

JailTable::Forked JailTable::finish(Awaited awaited, base::Result<base::UniqueFd> pidfd) {
  if (!pidfd) {
    const std::uint32_t sequence = awaited.sequence;
    give_up(std::move(awaited));
    return {sequence, std::unexpected(pidfd.error())};
  }
  Built built = add(std::move(awaited.entry), std::move(*pidfd), std::move(awaited.ends), std::move(awaited.group));
  return {awaited.sequence, std::move(built)};
}

// The template has ended what there was of it, or has ended itself: only its groups are left, maybe busy for a moment.
void JailTable::give_up(Awaited awaited) {
  awaited.entry.destroying = awaited.entry.dead = true;
  entries_.emplace(next_handle_++, std::move(awaited.entry));
}

void JailTable::kill(Entry& entry) {
  if (entry.dead) return;
  cgroups_->unthrottle(entry.name);
  (void)sys::send_signal(entry.pidfd.get(), SIGKILL);
}

void JailTable::kill(std::uint64_t handle) {
  if (const auto found = entries_.find(handle); found != entries_.end()) kill(found->second);
}

void JailTable::arm(const Request& request) {
  const auto found = entries_.find(request.handle);
  if (found == entries_.end()) return;
  const bool allowed = quota_is_allowed(request.cpu_quota_micros);
  if (!allowed || !cgroups_->set_quota(found->second.name, request.cpu_quota_micros)) kill(found->second);
}

bool JailTable::begin_destroy(std::uint64_t handle) {
  const auto found = entries_.find(handle);
  if (found == entries_.end() || found->second.destroying) return false;
  found->second.destroying = true;
  // Most have ended by themselves: then there is nothing to unthrottle and nobody to kill.
  (void)reap(found->second);
  kill(found->second);
  return true;
}

// True once pid 1, and with it all of the jail, is dead. That of a template's jail is not ours to wait for, but its
// pidfd tells.
bool JailTable::reap(Entry& entry) {
  if (entry.dead) return true;
  if (entry.made_by) {
    entry.dead = sys::has_events(entry.pidfd.get());
  } else {
    const auto reaped = sys::reap(entry.pidfd.get());
    entry.dead = !reaped || *reaped;
  }
  return entry.dead;
}

bool JailTable::advance(Entry& entry, base::Status& status) {
  if (!reap(entry)) return false;
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
    gone.push_back({at->first, status, std::move(at->second.mounts)});
    free_slots_.push_back(at->second.slot);
    if (at->second.made_by) templates_->release(*at->second.made_by);
    at = entries_.erase(at);
  }
  return gone;
}

std::vector<int> JailTable::descriptors(bool& retry_soon) const {
  retry_soon = false;
  std::vector<int> fds = templates_->descriptors(retry_soon);
  for (const auto& [handle, entry] : entries_) {
    if (!entry.destroying) continue;
    if (entry.dead) {
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
  templates_->shut_down();
  for (auto& [sequence, awaited] : awaited_) give_up(std::move(awaited));
  awaited_.clear();
  while (!entries_.empty()) {
    (void)progress();
    bool retry_soon = false;
    std::vector<pollfd> waits;
    for (const int fd : descriptors(retry_soon)) waits.push_back({fd, POLLIN, 0});
    if (!entries_.empty()) ::poll(waits.data(), waits.size(), retry_soon ? 1 : 1000);
  }
}

}  // namespace outrigger::jailer
