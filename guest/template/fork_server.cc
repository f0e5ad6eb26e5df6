#include "fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "fork_into.h"
#include "jail/init_process.h"
#include "sys/process.h"
#include "sys/small_file.h"

namespace outrigger::guest {
namespace {

template <typename T>
std::span<std::byte> bytes_of(T& message) {
  return std::as_writable_bytes(std::span(&message, 1));
}

}  // namespace

base::Result<ForkServer*> ForkServer::create() {
  auto* server = new ForkServer;  // NOLINT: never freed, see the declaration
  if (const base::Status prepared = server->prepare(); !prepared) return std::unexpected(prepared.error());
  return server;
}

base::Status ForkServer::prepare() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // The id maps of its jails are files of theirs, which belong to root of their user namespace unless this is set.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  if (::unshare(CLONE_NEWNET) != 0) return base::system_error("network_namespaces", "unshare");
  auto network = sys::open_at(AT_FDCWD, "/proc/self/ns/net", O_RDONLY);
  auto pids = sys::open_at(AT_FDCWD, "/proc/self/ns/pid", O_RDONLY);
  auto null = sys::open_at(AT_FDCWD, "/dev/null", O_RDWR);
  if (!network || !pids || !null) return base::system_error("start_host", "/proc or /dev");
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
  deaths_.reset(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!deaths_) return base::system_error("start_host", "signalfd");
  home_network_ = std::move(*network);
  home_pids_ = std::move(*pids);
  null_ = std::move(*null);
  return {};
}

void ForkServer::serve() {
  reply(0, jail::Step::kNone, 0);
  while (!turn()) {
  }
}

bool ForkServer::turn() {
  std::vector<pollfd> waits{{jail::kControlFd, POLLIN, 0}, {deaths_.get(), POLLIN, 0}};
  std::vector<pid_t> building;
  for (const Jail& jail : jails_) {
    if (jail.stands) continue;
    waits.push_back({jail.nurse.get(), POLLIN, 0});
    building.push_back(jail.init);
  }
  if (::poll(waits.data(), waits.size(), -1) < 0) return false;
  for (std::size_t i = 0; i < building.size(); ++i) {
    if (waits[i + 2].revents == 0) continue;
    const auto found = std::ranges::find(jails_, building[i], &Jail::init);
    if (found != jails_.end() && on_built(*found)) return true;
  }
  if (waits[1].revents != 0) reap();
  if (waits[0].revents != 0) take_request();
  return false;
}

void ForkServer::take_request() {
  jail::TemplateRequest request;
  auto received = sys::receive_message(jail::kControlFd, bytes_of(request));
  if (!received || received->size != sizeof request) ::_exit(0);  // the jailer is gone
  Jail jail;
  jail.sequence = request.sequence;
  jail.cgroup_v2 = request.cgroup_v2 != 0;
  jail.warm_up = request.warm_up != 0;
  jail.fds = std::move(received->fds);
  const base::Status begun =
      jail.fds.size() < jail::kRequestGroupFds ? base::system_error("start_init", {}, EPROTO) : begin(request, jail);
  if (!begun) reply(request.sequence, jail::Step::kStartInit, begun.error().errno_value);
  if (jail.init > 0) jails_.push_back(std::move(jail));  // also where it failed on the way: it will be reaped
}

// A network namespace is used by one jail after another, as the jailer's are (jailer/network_namespaces.h).
base::Result<std::size_t> ForkServer::take_network() {
  if (!free_networks_.empty()) {
    const std::size_t network = free_networks_.back();
    if (::setns(networks_[network].get(), CLONE_NEWNET) != 0) return base::system_error("enter_network");
    free_networks_.pop_back();
    return network;
  }
  if (::unshare(CLONE_NEWNET) != 0) return base::system_error("network_namespaces");
  auto opened = sys::open_at(AT_FDCWD, "/proc/self/ns/net", O_RDONLY);
  if (!opened) return std::unexpected(opened.error());
  networks_.push_back(std::move(*opened));
  return networks_.size() - 1;
}

base::Status ForkServer::begin(const jail::TemplateRequest& request, Jail& jail) {
  // Before the jail's network is entered: in there it would be seen in /proc/net/unix.
  auto nurse = sys::socket_pair(SOCK_SEQPACKET);
  if (!nurse) return std::unexpected(nurse.error());
  jail.nurse = std::move(nurse->first);
  const auto network = take_network();
  if (!network) return std::unexpected(network.error());
  jail.network = *network;
  base::Status status = start_init(request, nurse->second.get(), jail);
  if (::setns(home_network_.get(), CLONE_NEWNET) != 0) ::_exit(1);  // all jails end with it
  if (jail.init < 0) free_networks_.push_back(jail.network);
  if (!status || jail.init < 0) return status;
  status = jail::write_id_maps(jail.init, jail::jail_id_map(request.first_id));
  if (status) status = sys::send_message(jail.nurse.get(), std::as_bytes(std::span(&request.plan, 1)));
  if (!status) {
    jail.stands = true;  // nothing more is expected of it
    (void)sys::send_signal(jail.init_pidfd.get(), SIGKILL);
  }
  return status;
}

base::Status ForkServer::start_init(const jail::TemplateRequest& request, int nurse, Jail& jail) {
  std::vector<int> fds{null_.get(), null_.get(), null_.get(), jail.fds[jail::kControlFd].get(), nurse, jail::kFilterFd};
  const bool v2 = request.cgroup_v2 != 0;
  for (std::size_t i = jail::kRequestGroupFds; i < jail.fds.size() && !v2; ++i) fds.push_back(jail.fds[i].get());
  const int group = v2 && jail.fds.size() > jail::kRequestGroupFds ? jail.fds[jail::kRequestGroupFds].get() : -1;
  auto child = jail::start_init({jail::kInitProgramFd, jail::kNursedMode, fds, group});
  if (!child) return std::unexpected(child.error());
  jail.init = child->pid;
  jail.init_pidfd = std::move(child->pidfd);
  jail.mounts = jail::hold_mounts(child->pid);
  return {};
}

// True in the forked guest.
bool ForkServer::on_built(Jail& jail) {
  jail.stands = true;
  jail::Report built;
  const auto received = sys::receive_message(jail.nurse.get(), bytes_of(built));
  // What failed in there has been told over the jail's own control socket; that it ends is seen by its pidfd.
  const bool stands = received && received->size == sizeof built;
  if (stands) {
    jail.guest = fork_guest(jail);
    if (jail.guest == 0) {
      enter_guest(jail, built.setup_cpu_ns);
      return true;
    }
    if (jail.guest < 0) (void)sys::send_signal(jail.init_pidfd.get(), SIGKILL);
  }
  reply(jail.sequence, jail::Step::kNone, 0, jail.init_pidfd.get());
  jail.fds.clear();
  return false;
}

// Into the jail's pid and network namespaces: both are a matter of where the parent stands.
pid_t ForkServer::fork_guest(const Jail& jail) {
  if (::setns(networks_[jail.network].get(), CLONE_NEWNET) != 0) return -1;
  pid_t guest = -1;
  if (::setns(jail.init_pidfd.get(), CLONE_NEWPID) == 0) {
    guest = fork_into(jail.cgroup_v2 ? jail.fds[jail::kRequestGroupFds].get() : -1);
    if (guest == 0) return 0;
    if (::setns(home_pids_.get(), CLONE_NEWPID) != 0) ::_exit(1);
  }
  if (::setns(home_network_.get(), CLONE_NEWNET) != 0) ::_exit(1);
  return guest;
}

void ForkServer::reap() {
  signalfd_siginfo ignored;
  while (::read(deaths_.get(), &ignored, sizeof ignored) > 0) {
  }
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid <= 0) return;
    const auto guest = std::ranges::find(jails_, pid, &Jail::guest);
    if (guest != jails_.end()) {
      guest->guest = -1;
      (void)sys::send_message(guest->nurse.get(), std::as_bytes(std::span(&status, 1)));
      continue;
    }
    // Its pid 1: the kernel lets it end only when all of its namespace have, and this process has reaped the guest.
    const auto init = std::ranges::find(jails_, pid, &Jail::init);
    if (init == jails_.end()) continue;
    if (!init->stands) reply(init->sequence, jail::Step::kNone, 0, init->init_pidfd.get());
    free_networks_.push_back(init->network);
    jails_.erase(init);
  }
}

void ForkServer::reply(std::uint32_t sequence, jail::Step step, int errno_value, int pidfd) {
  const jail::TemplateReply message{sequence, step, errno_value};
  const int fds[] = {pidfd};
  const auto sent =
      sys::send_message(jail::kControlFd, std::as_bytes(std::span(&message, 1)), std::span(fds, pidfd >= 0 ? 1U : 0U));
  if (!sent) ::_exit(0);  // the jailer is gone
}

}  // namespace outrigger::guest
