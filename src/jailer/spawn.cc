#include "jailer/spawn.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <span>
#include <string>

#include "sys/message_socket.h"
#include "sys/small_file.h"

namespace outrigger::jailer {
namespace {

// Two more: the network namespace is this process's own at the moment (NetworkNamespaces), and the cgroup namespace is
// entered by sandbox_init itself, once it stands in the job's groups.
constexpr std::uint64_t kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;

// What sandbox_init needs over its own namespaces, and nothing else; carried over exec by the ambient set, since its
// uid is not mapped yet and exec would drop them.
constexpr std::array kInitCapabilities{CAP_CHOWN, CAP_SETGID, CAP_SETUID, CAP_SETPCAP, CAP_SYS_ADMIN};

constexpr std::size_t kMaxInherited = 16;
// Above every target number, so that moving one descriptor into place never overwrites another.
constexpr int kParkingLot = 64;

struct ChildArguments {
  std::array<int, kMaxInherited> fds{};  // by target number
  int count = 0;
  int sandbox_init = -1;
  int errno_value = 0;  // written by the child, read by the parent: they share memory until exec
};

bool keep_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  for (const int capability : kInitCapabilities) {
    auto& set = sets.at(static_cast<std::size_t>(capability) / 32);
    const std::uint32_t bit = 1U << (static_cast<unsigned>(capability) % 32);
    set.effective |= bit;
    set.permitted |= bit;
    set.inheritable |= bit;
  }
  if (::syscall(SYS_capset, &header, sets.data()) != 0) return false;
  for (const int capability : kInitCapabilities) {
    if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0) return false;
  }
  return true;
}

bool place_descriptors(ChildArguments& arguments) {
  const auto count = static_cast<std::size_t>(arguments.count);
  for (std::size_t i = 0; i < count; ++i) {
    arguments.fds[i] = ::fcntl(arguments.fds[i], F_DUPFD_CLOEXEC, kParkingLot);
    if (arguments.fds[i] < 0) return false;
  }
  arguments.sandbox_init = ::fcntl(arguments.sandbox_init, F_DUPFD_CLOEXEC, kParkingLot);
  if (arguments.sandbox_init < 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (::dup2(arguments.fds[i], static_cast<int>(i)) < 0) return false;
  }
  return ::syscall(SYS_close_range, arguments.count, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

// Runs in the parent's memory, see sys::spawn_vfork: system calls only.
void child_body(void* raw) {
  auto& arguments = *static_cast<ChildArguments*>(raw);
  if (place_descriptors(arguments) && keep_capabilities()) {
    static constexpr char kName[] = "sandbox_init";
    char* const argv[] = {const_cast<char*>(kName), nullptr};  // NOLINT: execveat does not write
    char* const envp[] = {nullptr};
    ::syscall(SYS_execveat, arguments.sandbox_init, "", argv, envp, AT_EMPTY_PATH);
  }
  arguments.errno_value = errno;
  ::_exit(127);
}

struct Channels {
  JailEnds daemon;
  std::array<base::UniqueFd, 5> jail;  // stdin, stdout, stderr, control, launch
};

// A pipe belongs to whoever made it: given to the guest's id, it can be opened again through /dev/stdin and its like.
base::Status make_pipe(base::UniqueFd& read_end, base::UniqueFd& write_end, std::uint32_t owner) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return base::system_error("channels", "pipe");
  read_end.reset(ends[0]);
  write_end.reset(ends[1]);
  if (::fchown(ends[0], owner, owner) != 0) return base::system_error("channels", "chown");
  return {};
}

base::Status set_nonblocking(const base::UniqueFd& fd) {
  if (::fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0) return base::system_error("channels", "O_NONBLOCK");
  return {};
}

base::Result<Channels> open_channels(std::uint32_t guest_host_id) {
  Channels channels;
  auto& [in, out, err, control, launch] = channels.jail;
  base::Status status = make_pipe(in, channels.daemon.stdin_end, guest_host_id);
  if (status) status = make_pipe(channels.daemon.stdout_end, out, guest_host_id);
  if (status) status = make_pipe(channels.daemon.stderr_end, err, guest_host_id);
  if (!status) return std::unexpected(status.error());
  auto control_pair = sys::socket_pair(SOCK_SEQPACKET);
  auto launch_pair = sys::socket_pair(SOCK_STREAM);
  if (!control_pair || !launch_pair) return base::system_error("channels", "socketpair");
  channels.daemon.control = std::move(control_pair->first);
  control = std::move(control_pair->second);
  channels.daemon.launch = std::move(launch_pair->first);
  launch = std::move(launch_pair->second);
  for (const base::UniqueFd* fd : {&channels.daemon.control, &channels.daemon.launch, &channels.daemon.stdin_end,
                                   &channels.daemon.stdout_end, &channels.daemon.stderr_end}) {
    if (status = set_nonblocking(*fd); !status) return std::unexpected(status.error());
  }
  return channels;
}

base::Status enter_network(int network) {
  if (::setns(network, CLONE_NEWNET) != 0) return base::system_error("enter_network");
  return {};
}

base::Result<sys::Child> clone_init(const Channels& channels, const jail::Group& group, const SpawnOptions& options) {
  ChildArguments arguments;
  arguments.sandbox_init = options.sandbox_init;
  const auto inherit = [&arguments](int fd) { arguments.fds.at(static_cast<std::size_t>(arguments.count++)) = fd; };
  for (const base::UniqueFd& fd : channels.jail) inherit(fd.get());
  inherit(options.filter);
  for (const base::UniqueFd& fd : group.join_files) inherit(fd.get());
  // Only for the clone: whatever this process opens belongs to its own network namespace, out of every jail's sight.
  if (const base::Status entered = enter_network(options.network); !entered) return std::unexpected(entered.error());
  auto child = sys::spawn_vfork(kNamespaces, group.clone_into(), child_body, &arguments);
  if (const base::Status back = enter_network(options.home_network); !back) ::_exit(1);  // all jails end with it
  if (child && arguments.errno_value != 0) {
    (void)sys::reap(child->pidfd.get());
    return base::system_error("exec_init", {}, arguments.errno_value);
  }
  return child;
}

base::Status write_maps(pid_t pid, std::uint32_t first_host_id) {
  const std::string map =
      std::to_string(jail::kInitId) + " " + std::to_string(first_host_id) + " " + std::to_string(jail::kIdsPerJail);
  for (const char* file : {"uid_map", "gid_map"}) {
    const std::string path = "/proc/" + std::to_string(pid) + "/" + file;
    if (const auto written = sys::write_file_at(AT_FDCWD, path.c_str(), map); !written) {
      return base::system_error("write_maps", std::string(file) + " " + map, written.error().errno_value);
    }
  }
  return {};
}

}  // namespace

base::Result<SpawnedJail> spawn_jail(const jail::Plan& plan, const jail::Group& group, const SpawnOptions& options) {
  static_assert(jail::kGuestId == jail::kInitId + 1);
  auto channels = open_channels(options.first_host_id + 1);
  if (!channels) return std::unexpected(channels.error());
  auto child = clone_init(*channels, group, options);
  if (!child) return std::unexpected(child.error());
  base::Status status = write_maps(child->pid, options.first_host_id);
  if (status) {
    status = sys::send_message(channels->daemon.control.get(), std::as_bytes(std::span(&plan, 1)));
    if (!status) status = base::system_error("send_plan", {}, status.error().errno_value);
  }
  if (!status) {
    (void)sys::send_signal(child->pidfd.get(), SIGKILL);
    // A child that is dying now; its end is short, and nobody else will wait for it.
    while (sys::reap(child->pidfd.get()).value_or(0) == std::nullopt) ::usleep(100);
    return std::unexpected(status.error());
  }
  return SpawnedJail{std::move(*child), std::move(channels->daemon)};
}

}  // namespace outrigger::jailer
