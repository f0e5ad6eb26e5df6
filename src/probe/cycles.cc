#include "probe/cycles.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "probe/parse_proc.h"
#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

constexpr std::string_view kStep = "count_cycles";

base::UniqueFd open_event(CycleEvent event, int group_dir, unsigned cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  const bool cycles = event == CycleEvent::kCpuCycles;
  attributes.type = cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
  attributes.config = cycles ? std::uint64_t{PERF_COUNT_HW_CPU_CYCLES} : std::uint64_t{PERF_COUNT_SW_TASK_CLOCK};
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const unsigned long flags = PERF_FLAG_FD_CLOEXEC | (group_dir >= 0 ? PERF_FLAG_PID_CGROUP : 0UL);
  return base::UniqueFd(
      static_cast<int>(::syscall(SYS_perf_event_open, &attributes, group_dir, static_cast<int>(cpu), -1, flags)));
}

base::Error failed(int error) {
  const auto because = [error](base::Code code, std::string text) {
    return base::Error{std::string(kStep), code, error, std::move(text)};
  };
  switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP: return because(base::Code::kUnsupported, "this machine has no hardware cycle counter");
    case ENOSYS: return because(base::Code::kUnsupported, "this kernel is built without performance events");
    case EACCES:
    case EPERM:
      return because(base::Code::kUnsupported,
                     "the kernel does not let this process count for all of a CPU: it needs CAP_PERFMON, or "
                     "kernel.perf_event_paranoid at 0");
    case EMFILE:
    case ENFILE: return because(base::Code::kExhausted, "no descriptors are left for a counter on each CPU");
    default: return because(base::Code::kSystem, "perf_event_open");
  }
}

std::vector<unsigned> online_cpus() {
  const auto text = sys::read_file_at(AT_FDCWD, "/sys/devices/system/cpu/online");
  return (text ? parse_cpu_list(*text) : std::nullopt).value_or(std::vector<unsigned>{0});
}

// Whether the hierarchy that holds perf_event holds the jobs' groups too, by which controller's directory.
base::Result<sys::Controller> hierarchy_of(const Places& places, const sys::Hierarchies& mounted) {
  const sys::Hierarchy* v1 = mounted.find_v1("perf_event");
  if (places.version == sys::CgroupVersion::kV2) {
    if (v1 == nullptr) return sys::Controller::kMemory;
    return base::failure(base::Code::kUnsupported, kStep,
                         "the perf_event controller is in a v1 hierarchy, the jobs' groups are in the unified one");
  }
  for (const sys::Controller controller : sys::kControllers) {
    if (v1 != nullptr && std::ranges::count(v1->controllers, sys::controller_name(controller)) > 0) return controller;
  }
  return base::failure(base::Code::kUnsupported, kStep,
                       "the perf_event controller is in another hierarchy than the jobs' v1 groups");
}

struct Count {
  std::uint64_t value;
  std::uint64_t nanoseconds_enabled;
  std::uint64_t nanoseconds_counted;
};

std::optional<std::uint64_t> scaled(const Count& count) {
  if (count.nanoseconds_counted >= count.nanoseconds_enabled) return count.value;
  if (count.nanoseconds_counted == 0) return std::nullopt;
  const auto factor =
      static_cast<long double>(count.nanoseconds_enabled) / static_cast<long double>(count.nanoseconds_counted);
  return static_cast<std::uint64_t>(static_cast<long double>(count.value) * factor);
}

}  // namespace

base::Result<sys::Controller> find_cycle_counting(const Places& places, CycleEvent event) {
  const auto mounted = sys::discover_hierarchies();
  if (!mounted) return std::unexpected(mounted.error());
  const auto controller = hierarchy_of(places, *mounted);
  if (!controller) return controller;
  // For all processes of one CPU asks for the same rights as for a group's.
  if (!open_event(event, -1, online_cpus().front())) return std::unexpected(failed(errno));
  return controller;
}

base::Result<CycleCounter> CycleCounter::open(int group_dir, CycleEvent event) {
  CycleCounter counter;
  for (const unsigned cpu : online_cpus()) {
    base::UniqueFd one = open_event(event, group_dir, cpu);
    if (!one) return std::unexpected(failed(errno));
    counter.cpus_.push_back(std::move(one));
  }
  return counter;
}

std::optional<std::uint64_t> CycleCounter::read() const {
  std::uint64_t sum = 0;
  for (const base::UniqueFd& cpu : cpus_) {
    Count count{};
    if (::read(cpu.get(), &count, sizeof count) != sizeof count) return std::nullopt;
    const auto here = scaled(count);
    if (!here) return std::nullopt;
    sum += *here;
  }
  return sum;
}

}  // namespace outrigger::probe
