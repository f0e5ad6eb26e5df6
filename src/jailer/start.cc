#include "jailer/start.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "jail/cgroup_driver.h"
#include "jail/filter_builder.h"
#include "jailer/process_name.h"
#include "jailer/protocol.h"
#include "model/limit_fields.h"
#include "sys/message_socket.h"
#include "sys/process.h"
#include "sys/small_file.h"

namespace outrigger::jailer {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds kStartTimeout = 70s;  // templates import from a disk that may be cold
constexpr int kSocketNumber = 3;

struct ChildArguments {
  const char* program;
  int socket;
  int errno_value;
};

// Runs in the parent's memory (sys::spawn_vfork): system calls only. The keeper gets the socket, stderr for its log, an
// empty environment, and nothing else of the daemon's.
void child_body(void* raw) {
  auto& arguments = *static_cast<ChildArguments*>(raw);
  const int socket = ::fcntl(arguments.socket, F_DUPFD_CLOEXEC, kSocketNumber + 1);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  sigset_t none;
  ::sigemptyset(&none);
  const bool placed = socket >= 0 && null >= 0 && ::dup2(null, 0) >= 0 && ::dup2(null, 1) >= 0 &&
                      ::dup2(socket, kSocketNumber) >= 0 &&
                      ::syscall(SYS_close_range, kSocketNumber + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0 &&
                      ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0 && ::chdir("/") == 0;
  if (placed) {
    char* const argv[] = {const_cast<char*>(kKeeperName), nullptr};  // NOLINT: execve does not write
    char* const envp[] = {nullptr};
    ::execve(arguments.program, argv, envp);
  }
  arguments.errno_value = errno;
  ::_exit(127);
}

base::Result<Image> image_message(const model::InstalledRuntime& installed) {
  Image image;
  if (installed.image_path.size() >= image.path.bytes.size()) {
    return base::system_error("start_jailer", installed.image_path, ENAMETOOLONG);
  }
  image.path.set(installed.image_path);
  image.refuses_sockets = installed.runtime.refuses_sockets ? 1 : 0;
  for (const std::string& name : installed.runtime.extra_syscalls) {
    const auto number = jail::syscall_number(name);
    if (!number) return std::unexpected(number.error());
    if (image.extra_syscalls == kMaxExtraSyscalls) {
      return base::failure(base::Code::kInvalid, "start_jailer", installed.runtime.name + ": too many extra syscalls");
    }
    image.extra.at(image.extra_syscalls++) = *number;
  }
  return image;
}

// A job's own, and what its runtime's compile step may have: that is the operator's word too, not a request's.
model::Limits highest(const StartOptions& options) {
  model::Limits most = options.ceilings;
  for (const model::InstalledRuntime& each : options.runtimes) {
    if (each.runtime.compile.command.empty()) continue;
    for (const model::LimitField& field : model::kLimitFields) {
      field.set(most, std::max(field.get(most), field.get(each.runtime.compile.limits)));
    }
  }
  return most;
}

Begin begin_message(const StartOptions& options) {
  const model::Limits most = highest(options);
  Begin begin;
  begin.uid_base = options.uid_base;
  begin.slots = options.slots;
  begin.images = static_cast<std::uint32_t>(options.runtimes.size());
  begin.max_memory_bytes = most.memory_bytes;
  begin.max_tmpfs_bytes = most.tmpfs_bytes;
  begin.max_pids = most.pids;
  begin.max_cpu_quota_micros =
      static_cast<std::uint64_t>(std::llround(most.cpu_cores * static_cast<double>(jail::kCpuPeriodMicros)));
  begin.cgroup_root.set(options.cgroup_root);
  return begin;
}

base::Status send_definitions(int socket, const StartOptions& options) {
  auto sandbox_init = sys::open_at(AT_FDCWD, options.sandbox_init.c_str(), O_RDONLY);
  if (!sandbox_init) return base::system_error("start_jailer", options.sandbox_init, sandbox_init.error().errno_value);
  const Begin begin = begin_message(options);
  const std::array fds{sandbox_init->get()};
  base::Status status = sys::send_message(socket, std::as_bytes(std::span(&begin, 1)), fds);
  std::size_t i = 0;
  for (const model::InstalledRuntime& runtime : options.runtimes) {
    if (!status) return status;
    auto image = image_message(runtime);
    if (!image) return std::unexpected(image.error());
    std::vector<int> files;
    if (i < options.templates.size() && options.templates[i].host) {
      image->template_jails = runtime.runtime.template_.max_jails;
      image->template_seconds = runtime.runtime.template_.max_age_s;
      files = {options.templates[i].host.get(), options.templates[i].launch.get()};
    }
    status = sys::send_message(socket, std::as_bytes(std::span(&*image, 1)), files);
    ++i;
  }
  return status;
}

base::Result<Announced> await_announcement(int keeper) {
  pollfd wait{keeper, POLLIN, 0};
  const int ready = ::poll(&wait, 1, static_cast<int>(kStartTimeout.count()));
  if (ready == 0) return base::system_error("start_jailer", "no answer in time", ETIMEDOUT);
  auto announced = receive_announcement(keeper);
  if (!announced) return base::failure(base::Code::kInternal, "start_jailer", "the jailer ended without an answer");
  if (!announced->serving) return std::unexpected(announced->error);
  return announced;
}

}  // namespace

base::Result<Started> start(const StartOptions& options) {
  auto pair = sys::socket_pair(SOCK_SEQPACKET);
  if (!pair) return std::unexpected(pair.error());
  ChildArguments arguments{options.program.c_str(), pair->second.get(), 0};
  auto child = sys::spawn_vfork(0, -1, child_body, &arguments);
  if (!child) return std::unexpected(child.error());
  pair->second.reset();
  if (arguments.errno_value != 0) {
    (void)sys::reap(child->pidfd.get());
    return base::system_error("start_jailer", options.program, arguments.errno_value);
  }
  // Closing the socket, as any early return here does, is what ends the keeper.
  if (const base::Status sent = send_definitions(pair->first.get(), options); !sent)
    return std::unexpected(sent.error());
  auto first = await_announcement(pair->first.get());
  if (!first) return std::unexpected(first.error());
  Started started{std::move(pair->first),          std::move(child->pidfd),       std::move(*first->serving),
                  std::move(first->cgroup_driver), std::move(first->cgroup_root), {}};
  started.forks.resize(options.runtimes.size());
  for (std::size_t i = 0; i < options.templates.size(); ++i) started.forks[i] = bool(options.templates[i].host);
  return started;
}

}  // namespace outrigger::jailer
