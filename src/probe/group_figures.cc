// Which figure stands in which file, on both versions.
#include "probe/group_files.h"

namespace outrigger::probe {
namespace {

using sys::CgroupVersion;
using sys::Controller;

// Kills are read first: one that comes in between must not look as if no ceiling had been reached.
void read_v2_memory(GroupFiles& files, Reading& into) {
  const FileText events = files.named(Controller::kMemory, "memory.events");
  into.memory_limit_hits = key_in(events, "max");
  into.oom_kills = key_in(events, "oom_kill");
  into.ooms = key_in(files.named(Controller::kMemory, "memory.events.local"), "oom");
  into.memory_peak_bytes = number_in(files.named(Controller::kMemory, "memory.peak"));
  into.memory_stalled_permyriad = figure_of(files.named(Controller::kMemory, "memory.pressure"), parse_pressure);
}

// With one ceiling for memory and for memory with swap, as the daemon sets them, the kernel charges the latter first
// and counts what it refuses there, if at all (6.18 does not). No charge is refused by both.
Figure v1_limit_hits(GroupFiles& files) {
  const Figure memory = number_in(files.named(Controller::kMemory, "memory.failcnt"));
  const Figure with_swap = number_in(files.named(Controller::kMemory, "memory.memsw.failcnt"));
  const bool not_accounted = !with_swap && with_swap.absence() == Absence::kNoFile;
  if (!memory || not_accounted) return memory;
  return with_swap ? Figure(*memory + *with_swap) : with_swap;
}

void read_v1_memory(GroupFiles& files, Reading& into) {
  into.oom_kills = key_in(files.named(Controller::kMemory, "memory.oom_control"), "oom_kill");
  into.memory_limit_hits = v1_limit_hits(files);
  into.memory_peak_bytes = number_in(files.named(Controller::kMemory, "memory.max_usage_in_bytes"));
  into.ooms = Absence::kNoFile;
  into.memory_stalled_permyriad = Absence::kNoFile;
}

}  // namespace

const char* memory_file(CgroupVersion version) {
  return version == CgroupVersion::kV2 ? "memory.current" : "memory.usage_in_bytes";
}
const char* cpu_file(CgroupVersion version) { return version == CgroupVersion::kV2 ? "cpu.stat" : "cpuacct.usage"; }
Controller cpu_file_controller() { return Controller::kCpuacct; }

Figure cpu_usage_in(const FileText& text, CgroupVersion version) {
  return version == CgroupVersion::kV2 ? key_in(text, "usage_usec") : microseconds_of(number_in(text));
}

void read_counters(GroupFiles& files, Reading& into) {
  const FileText cpu = files.named(Controller::kCpu, "cpu.stat");
  into.throttled_usec = files.v2() ? key_in(cpu, "throttled_usec") : microseconds_of(key_in(cpu, "throttled_time"));
  into.periods = key_in(cpu, "nr_periods");
  into.throttled_periods = key_in(cpu, "nr_throttled");
  into.pids = number_in(files.named(Controller::kPids, "pids.current"));
  into.pids_peak = number_in(files.named(Controller::kPids, "pids.peak"));
  into.pids_limit_hits = key_in(files.named(Controller::kPids, "pids.events"), "max");
  files.v2() ? read_v2_memory(files, into) : read_v1_memory(files, into);
}

void read_limits(GroupFiles& files, Reading& into) {
  into.pids_limit = number_in(files.named(Controller::kPids, "pids.max"));
  if (files.v2()) {
    const FileText text = files.named(Controller::kCpu, "cpu.max");
    const CpuMax max = text ? parse_cpu_max(*text) : CpuMax{text.error(), text.error()};
    into.cpu_quota_usec = max.quota_usec;
    into.cpu_period_usec = max.period_usec;
    into.memory_limit_bytes = number_in(files.named(Controller::kMemory, "memory.max"));
    return;
  }
  into.cpu_quota_usec = figure_of(files.named(Controller::kCpu, "cpu.cfs_quota_us"), parse_v1_quota);
  into.cpu_period_usec = number_in(files.named(Controller::kCpu, "cpu.cfs_period_us"));
  into.memory_limit_bytes = figure_of(files.named(Controller::kMemory, "memory.limit_in_bytes"), parse_v1_memory_limit);
}

}  // namespace outrigger::probe
