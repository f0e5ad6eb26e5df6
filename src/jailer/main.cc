// outrigger-jailer: the only privileged process. The daemon starts it with one end of a socket pair as descriptor 3,
// tells it once what jails there may be, and from then on asks for such jails (protocol.h). It reads no configuration,
// no network and no byte a caller sent; it ends, with all its jails, when the daemon does.

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jail/cgroup_driver.h"
#include "jail/filter_builder.h"
#include "jailer/jail_table.h"
#include "jailer/protocol.h"
#include "jailer/server.h"
#include "jailer/stage.h"
#include "jailer/templates.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

constexpr int kSocket = 3;
constexpr int kLastSignal = 64;  // _NSIG of the kernel's

struct Definitions {
  JailTable::Settings settings;
  std::vector<std::optional<TemplateDefinition>> templates;
  IdRanges template_ids;
  std::vector<std::string> images;
};

template <typename T>
base::Result<sys::Received> receive(T& message) {
  auto received = sys::receive_message(kSocket, std::as_writable_bytes(std::span(&message, 1)));
  if (received && received->size != sizeof message) return base::system_error("receive_definitions", {}, EPROTO);
  return received;
}

std::optional<TemplateDefinition> template_of(std::uint32_t index, const Image& image, int filter,
                                              std::vector<base::UniqueFd>& fds) {
  if (image.template_jails == 0) return std::nullopt;
  TemplateDefinition definition;
  definition.image = index;
  definition.filter = filter;
  definition.host = std::move(fds[0]);
  definition.launch = std::move(fds[1]);
  definition.max_jails = image.template_jails;
  definition.max_age = std::chrono::seconds(image.template_seconds);
  return definition;
}

base::Result<Definitions> receive_definitions() {
  Definitions definitions;
  Begin& begin = definitions.settings.limits;
  auto received = receive(begin);
  if (!received) return std::unexpected(received.error());
  if (received->fds.size() != 1 || begin.images > kMaxImages)
    return base::system_error("receive_definitions", {}, EPROTO);
  definitions.settings.sandbox_init = std::move(received->fds.front());
  for (std::uint32_t i = 0; i < begin.images; ++i) {
    Image image;
    auto got = receive(image);
    if (!got) return std::unexpected(got.error());
    if (image.extra_syscalls > kMaxExtraSyscalls) return base::system_error("receive_definitions", {}, EPROTO);
    auto filter = jail::build_filter(std::span(image.extra).first(image.extra_syscalls));
    if (!filter) return std::unexpected(filter.error());
    if (got->fds.size() != (image.template_jails > 0 ? 2 : 0)) {
      return base::system_error("receive_definitions", {}, EPROTO);
    }
    definitions.templates.push_back(template_of(i, image, filter->get(), got->fds));
    definitions.settings.filters.push_back(std::move(*filter));
    definitions.images.push_back(image.path.str());
  }
  return definitions;
}

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

// By the raw call: libc refuses to touch the two real-time signals it keeps for itself, and a parent may have left them
// ignored. Refused for SIGKILL and SIGSTOP, rightly.
void default_dispositions() {
  struct KernelAction {
    std::uint64_t handler = 0;  // SIG_DFL
    std::uint64_t flags = 0;
    std::uint64_t restorer = 0;
    std::uint64_t mask = 0;
  };
  const KernelAction action;
  for (int signal = 1; signal <= kLastSignal; ++signal)
    ::syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask);
}

// Jails inherit dispositions (default) and the mask, which sandbox_init clears. A terminal's Ctrl-C is the daemon's to
// handle: it closes the socket when its jobs have ended.
void settle() {
  ::setsid();
  default_dispositions();
  sigset_t mask;
  ::sigemptyset(&mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::sigaddset(&mask, signal);
  ::sigprocmask(SIG_BLOCK, &mask, nullptr);
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  // Jails need a hard limit of at least 1 here (jail/steps/steps.h says why), and can't raise it themselves. If
  // it can't be had, each of them says so.
  const rlimit core{1, 1};
  ::setrlimit(RLIMIT_CORE, &core);
}

base::Status lease_ids(Definitions& definitions) {
  const Begin& limits = definitions.settings.limits;
  auto jails = IdRanges::lease(limits.uid_base, limits.slots);
  if (!jails) return std::unexpected(jails.error());
  definitions.settings.ids = std::move(*jails);
  if (std::ranges::none_of(definitions.templates, [](const auto& one) { return one.has_value(); })) return {};
  auto templates = IdRanges::lease(limits.uid_base, IdRanges::kJailsPerGranule);
  if (!templates) return std::unexpected(templates.error());
  definitions.template_ids = std::move(*templates);
  return {};
}

base::Result<std::unique_ptr<jail::CgroupDriver>> prepare_machine(Definitions& definitions) {
  if (const base::Status leased = lease_ids(definitions); !leased) return std::unexpected(leased.error());
  auto networks = NetworkNamespaces::make(definitions.settings.limits.slots);
  if (!networks) return std::unexpected(networks.error());
  definitions.settings.networks = std::move(*networks);
  auto cgroups = jail::probe_cgroup_driver(definitions.settings.limits.cgroup_root.str());
  if (!cgroups) return cgroups;
  base::Status status = build_stage(definitions.images);
  if (status) status = keep_needed_capabilities();
  if (status) return cgroups;
  (*cgroups)->close();
  return std::unexpected(status.error());
}

base::Result<std::unique_ptr<JailTable>> prepare(StartedReply& reply) {
  auto definitions = receive_definitions();
  if (!definitions) return std::unexpected(definitions.error());
  auto cgroups = prepare_machine(*definitions);
  if (!cgroups) return std::unexpected(cgroups.error());
  reply.cgroup_v2 = (*cgroups)->version() == sys::CgroupVersion::kV2 ? 1 : 0;
  reply.cgroup_root.set((*cgroups)->root());
  Templates::Settings settings{std::move(definitions->templates), definitions->settings.sandbox_init.get(),
                               std::move(definitions->template_ids),
                               definitions->settings.ids.map_lines(jail::kFirstJailId)};
  auto templates = std::make_unique<Templates>(std::move(settings), **cgroups);
  if (const base::Status started = templates->start_all(); !started) {
    templates->shut_down();
    (*cgroups)->close();
    return std::unexpected(started.error());
  }
  return std::make_unique<JailTable>(std::move(definitions->settings), std::move(*cgroups), std::move(templates));
}

int run() {
  settle();
  StartedReply reply;
  const auto jails = prepare(reply);
  if (!jails) set_failure(reply.failure, jails.error());
  (void)sys::send_message(kSocket, std::as_bytes(std::span(&reply, 1)));
  if (!jails) return 1;
  serve(kSocket, **jails);
  return 0;
}

}  // namespace
}  // namespace outrigger::jailer

int main() { return outrigger::jailer::run(); }
