#include "jailer/spawn.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <span>
#include <string>
#include <vector>

#include "jail/init_process.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

base::Status enter_network(int network) {
  if (::setns(network, CLONE_NEWNET) != 0) return base::system_error("enter_network");
  return {};
}

base::Result<sys::Child> clone_init(const Channels& channels, const jail::Group& group, const SpawnOptions& options) {
  std::vector<int> fds;
  for (const base::UniqueFd& fd : channels.jail) fds.push_back(fd.get());
  fds.push_back(options.filter);
  for (const base::UniqueFd& fd : group.join_files) fds.push_back(fd.get());
  // Only for the clone: whatever this process opens belongs to its own network namespace, out of every jail's sight.
  if (const base::Status entered = enter_network(options.network); !entered) return std::unexpected(entered.error());
  auto child = jail::start_init({options.sandbox_init, jail::kJailMode, fds, group.clone_into()});
  if (const base::Status back = enter_network(options.home_network); !back) ::_exit(1);  // all jails end with it
  return child;
}

}  // namespace

base::Result<SpawnedJail> spawn_jail(const jail::Plan& plan, const jail::Group& group, const SpawnOptions& options) {
  static_assert(jail::kGuestId == jail::kInitId + 1);
  auto channels = open_channels(options.first_host_id + 1);
  if (!channels) return std::unexpected(channels.error());
  auto child = clone_init(*channels, group, options);
  if (!child) return std::unexpected(child.error());
  base::Status status = jail::write_id_maps(child->pid, jail::jail_id_map(options.first_host_id));
  if (status) {
    status = sys::send_message(channels->daemon.control.get(), std::as_bytes(std::span(&plan, 1)));
    if (!status) status = base::system_error("send_plan", {}, status.error().errno_value);
  }
  if (!status) {
    end_at_once(*child);
    return std::unexpected(status.error());
  }
  base::UniqueFd mounts = jail::hold_mounts(child->pid);
  return SpawnedJail{std::move(*child), std::move(mounts), std::move(channels->daemon)};
}

void end_at_once(sys::Child& child) {
  (void)sys::send_signal(child.pidfd.get(), SIGKILL);
  // It is dying now; its end is short, and nobody else will wait for it.
  while (sys::reap(child.pidfd.get()).value_or(0) == std::nullopt) ::usleep(100);
}

}  // namespace outrigger::jailer
