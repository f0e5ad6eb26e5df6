#include "jail/init_process.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "jail/plan.h"
#include "sys/small_file.h"

namespace outrigger::jail {
namespace {

// But for two: the network namespace is the starting process's own at the moment, and the cgroup namespace is entered
// by sandbox_init itself, once it stands in the job's groups.
constexpr std::uint64_t kJailNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;

// What sandbox_init needs over its own namespaces, and nothing else; carried over exec by the ambient set, since its
// uid is not mapped yet and exec would drop them. The last two are for the end of a job whose files are collected
// (steps.h, keep_collecting_capabilities).
constexpr std::array kInitCapabilities{CAP_CHOWN,     CAP_SETGID, CAP_SETUID,         CAP_SETPCAP,
                                       CAP_SYS_ADMIN, CAP_KILL,   CAP_DAC_READ_SEARCH};

constexpr std::size_t kMaxInherited = 16;
// Above every target number, so that moving one descriptor into place never overwrites another.
constexpr int kParkingLot = 64;

struct ChildArguments {
  std::array<int, kMaxInherited> fds{};  // by target number
  std::size_t count = 0;
  int program = -1;
  const char* mode = nullptr;
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
  for (std::size_t i = 0; i < arguments.count; ++i) {
    arguments.fds[i] = ::fcntl(arguments.fds[i], F_DUPFD_CLOEXEC, kParkingLot);
    if (arguments.fds[i] < 0) return false;
  }
  arguments.program = ::fcntl(arguments.program, F_DUPFD_CLOEXEC, kParkingLot);
  if (arguments.program < 0) return false;
  for (std::size_t i = 0; i < arguments.count; ++i) {
    if (::dup2(arguments.fds[i], static_cast<int>(i)) < 0) return false;
  }
  return ::syscall(SYS_close_range, arguments.count, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

// Runs in the parent's memory, see sys::spawn_vfork: system calls only.
void child_body(void* raw) {
  auto& arguments = *static_cast<ChildArguments*>(raw);
  if (place_descriptors(arguments) && keep_capabilities()) {
    static constexpr char kName[] = "sandbox_init";
    char* const argv[] = {const_cast<char*>(kName), const_cast<char*>(arguments.mode),  // NOLINT: execveat does not
                          nullptr};                                                     // write
    char* const envp[] = {nullptr};
    ::syscall(SYS_execveat, arguments.program, "", argv, envp, AT_EMPTY_PATH);
  }
  arguments.errno_value = errno;
  ::_exit(127);
}

}  // namespace

base::Result<sys::Child> start_init(const InitProcess& init) {
  ChildArguments arguments;
  arguments.program = init.program;
  arguments.mode = init.mode;
  for (const int fd : init.fds) arguments.fds.at(arguments.count++) = fd;
  auto child = sys::spawn_vfork(kJailNamespaces, init.into_cgroup, child_body, &arguments);
  if (child && arguments.errno_value != 0) {
    (void)sys::reap(child->pidfd.get());
    return base::system_error("exec_init", {}, arguments.errno_value);
  }
  return child;
}

base::UniqueFd hold_mounts(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/ns/mnt";
  auto opened = sys::open_at(AT_FDCWD, path.c_str(), O_RDONLY);
  return opened ? std::move(*opened) : base::UniqueFd();
}

std::string jail_id_map(std::uint32_t first) {
  return std::to_string(kInitId) + " " + std::to_string(first) + " " + std::to_string(kIdsPerJail);
}

base::Status write_id_maps(pid_t pid, const std::string& map) {
  for (const char* file : {"uid_map", "gid_map"}) {
    const std::string path = "/proc/" + std::to_string(pid) + "/" + file;
    if (const auto written = sys::write_file_at(AT_FDCWD, path.c_str(), map); !written) {
      return base::system_error("write_maps", std::string(file) + " " + map, written.error().errno_value);
    }
  }
  return {};
}

}  // namespace outrigger::jail
