#include "jailer/machine.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "jailer/stage.h"

namespace outrigger::jailer {
namespace {

// What making jails takes, of all that root has: ids and their maps, mounts and namespaces, signals to the jails, pipes
// given to them.
base::Status keep_needed_capabilities() {
  constexpr std::array kNeeded{CAP_CHOWN, CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SYS_ADMIN};
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  for (const int capability : kNeeded) {
    auto& set = sets.at(static_cast<std::size_t>(capability) / 32);
    set.effective |= 1U << (static_cast<unsigned>(capability) % 32);
    set.permitted = set.effective;
  }
  if (::syscall(SYS_capset, &header, sets.data()) != 0) return base::system_error("keep_capabilities");
  return {};
}

base::Status lease_ids(Machine& machine) {
  const Begin& limits = machine.definitions.limits;
  auto jails = IdRanges::lease(limits.uid_base, limits.slots);
  if (!jails) return std::unexpected(jails.error());
  machine.ids = std::move(*jails);
  if (std::ranges::none_of(machine.definitions.templates, [](const auto& one) { return one.has_value(); })) return {};
  auto templates = IdRanges::lease(limits.uid_base, IdRanges::kJailsPerGranule);
  if (!templates) return std::unexpected(templates.error());
  machine.template_ids = std::move(*templates);
  return {};
}

}  // namespace

base::Result<Machine> prepare_machine(Definitions definitions) {
  Machine machine;
  machine.definitions = std::move(definitions);
  const Begin& limits = machine.definitions.limits;
  if (const base::Status leased = lease_ids(machine); !leased) return std::unexpected(leased.error());
  auto networks = NetworkNamespaces::make(limits.slots);
  if (!networks) return std::unexpected(networks.error());
  machine.networks = std::move(*networks);
  auto cgroups = jail::probe_cgroup_driver(limits.cgroup_root.str());
  if (!cgroups) return std::unexpected(cgroups.error());
  machine.cgroups = std::move(*cgroups);
  base::Status status = build_stage(machine.definitions.images);
  if (status) status = keep_needed_capabilities();
  if (status) return machine;
  machine.cgroups->close();
  return std::unexpected(status.error());
}

}  // namespace outrigger::jailer
