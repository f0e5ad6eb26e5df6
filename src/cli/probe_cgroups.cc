#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "cli/print.h"
#include "cli/probe.h"
#include "jail/cgroup_driver.h"
#include "sys/small_file.h"

namespace outrigger::cli {
namespace {

using Answer = base::Result<std::string>;
using sys::Controller;

constexpr std::uint64_t kMemory = 64ULL << 20;
constexpr std::uint64_t kPids = 8;

// A process of ours goes into the group; it waits there until it is killed.
base::Result<pid_t> put_in(const jail::Group& group) {
  const pid_t child = ::fork();
  if (child < 0) return base::system_error("fork");
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const std::string pid = std::to_string(child);
  base::Status joined;
  if (group.dirs.version == sys::CgroupVersion::kV2) {
    joined = sys::write_file_at(group.clone_into(), "cgroup.procs", pid);
  }
  for (const base::UniqueFd& file : group.join_files) {
    if (!write_all(file.get(), pid)) joined = base::system_error("join_cgroup");
  }
  if (joined) return child;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return std::unexpected(joined.error());
}

Answer counted(Controller controller, const sys::Counters& counters) {
  switch (controller) {
    case Controller::kMemory:
      if (counters.memory_current && counters.oom_kills) return "limit set; memory and OOM kills are counted";
      break;
    case Controller::kCpu:
      if (counters.periods && counters.throttled) return "quota set; periods and throttling are counted";
      break;
    case Controller::kCpuacct:
      if (counters.cpu_usage) return "CPU time is counted";
      break;
    case Controller::kPids:
      if (counters.pids_current == 1) return "limit set; tasks are counted";
      break;
  }
  return base::failure(base::Code::kUnsupported, "read_cgroup", "the kernel does not count what a jail needs");
}

// The last task leaves a group a moment after its death was seen: EBUSY until then.
base::Status remove_group(jail::CgroupDriver& driver, const std::string& name) {
  base::Status removed;
  for (int attempt = 0; attempt < 100; ++attempt) {
    removed = driver.remove(name);
    if (removed || removed.error().errno_value != EBUSY) break;
    ::usleep(10'000);
  }
  return removed;
}

Answer try_controller(jail::CgroupDriver& driver, Controller controller) {
  const std::string name = "doctor-" + std::to_string(::getpid());
  auto group = driver.make(name, {kMemory, kPids, jail::kCpuPeriodMicros / 2});
  if (!group) return std::unexpected(group.error());
  const auto child = put_in(*group);
  Answer answer = child ? counted(controller, sys::read_counters(group->dirs)) : Answer(std::unexpected(child.error()));
  if (child) {
    ::kill(*child, SIGKILL);
    ::waitpid(*child, nullptr, 0);
  }
  const base::Status removed = remove_group(driver, name);
  if (answer && !removed) return std::unexpected(removed.error());
  return answer;
}

std::string remedy_for(Controller controller) {
  const std::string name(sys::controller_name(controller));
  return "v2: write \"+" + name +
         "\" to cgroup.subtree_control of the group above (systemd: Delegate=yes in the unit); v1: mount the " + name +
         " hierarchy; in a container, mount cgroups writable; another place can be named by jail.cgroup_root";
}

}  // namespace

std::vector<Finding> probe_cgroups(const config::Jail& jail) {
  std::vector<Finding> findings;
  for (const Controller controller : sys::kControllers) {
    const auto body = [&jail, controller]() -> Answer {
      const auto driver = jail::probe_cgroup_driver(jail.cgroup_root);
      if (!driver) return std::unexpected(driver.error());
      const std::string place =
          std::string(sys::version_name((*driver)->version())) + " at " + (*driver)->root() + ": ";
      Answer answer = try_controller(**driver, controller);
      (*driver)->close();
      if (answer) return place + *answer;
      return answer;
    };
    findings.push_back(probe("cgroup." + std::string(sys::controller_name(controller)), remedy_for(controller), body));
  }
  return findings;
}

}  // namespace outrigger::cli
