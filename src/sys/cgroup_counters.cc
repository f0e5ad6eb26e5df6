#include <charconv>

#include "sys/cgroup.h"
#include "sys/small_file.h"

namespace outrigger::sys {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A counter file that is missing, or whose group has just been removed (ENODEV), simply offers nothing.
std::string text_of(int dir, const char* name) {
  auto text = read_file_at(dir, name);
  return text ? std::move(*text) : std::string{};
}

std::optional<std::chrono::microseconds> micros(std::optional<std::uint64_t> value, std::uint64_t per_microsecond = 1) {
  if (!value) return std::nullopt;
  return std::chrono::microseconds(static_cast<std::int64_t>(*value / per_microsecond));
}

constexpr std::uint64_t kNanos = 1000;

void read_v2(int dir, Counters& counters) {
  const std::string cpu = text_of(dir, "cpu.stat");
  counters.cpu_usage = micros(flat_key(cpu, "usage_usec"));
  counters.throttled = micros(flat_key(cpu, "throttled_usec"));
  const std::string memory = text_of(dir, "memory.events");
  counters.oom_kills = flat_key(memory, "oom_kill");
  counters.memory_limit_hits = flat_key(memory, "max");
  counters.memory_current = single_value(text_of(dir, "memory.current"));
  counters.memory_peak = single_value(text_of(dir, "memory.peak"));
  counters.periods = flat_key(cpu, "nr_periods");
  counters.throttled_periods = flat_key(cpu, "nr_throttled");
}

void read_v1(const GroupDirs& group, Counters& counters) {
  counters.cpu_usage = micros(single_value(text_of(group.dir(Controller::kCpuacct), "cpuacct.usage")), kNanos);
  const std::string cpu = text_of(group.dir(Controller::kCpu), "cpu.stat");
  counters.throttled = micros(flat_key(cpu, "throttled_time"), kNanos);
  counters.periods = flat_key(cpu, "nr_periods");
  counters.throttled_periods = flat_key(cpu, "nr_throttled");
  const int memory = group.dir(Controller::kMemory);
  counters.oom_kills = flat_key(text_of(memory, "memory.oom_control"), "oom_kill");
  counters.memory_limit_hits = single_value(text_of(memory, "memory.failcnt"));
  counters.memory_current = single_value(text_of(memory, "memory.usage_in_bytes"));
  counters.memory_peak = single_value(text_of(memory, "memory.max_usage_in_bytes"));
}

}  // namespace

std::optional<std::uint64_t> single_value(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return number(text);
}

std::optional<std::uint64_t> flat_key(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ') {
      return number(line.substr(key.size() + 1));
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

Counters read_counters(const GroupDirs& group) {
  Counters counters;
  if (group.version == CgroupVersion::kV2) {
    read_v2(group.dir(Controller::kMemory), counters);
  } else {
    read_v1(group, counters);
  }
  const int pids = group.dir(Controller::kPids);
  counters.pids_current = single_value(text_of(pids, "pids.current"));
  counters.pids_peak = single_value(text_of(pids, "pids.peak"));
  counters.pids_limit_hits = flat_key(text_of(pids, "pids.events"), "max");
  return counters;
}

std::optional<std::chrono::microseconds> read_cpu_usage(const GroupDirs& group) {
  if (group.version == CgroupVersion::kV2) {
    return micros(flat_key(text_of(group.dir(Controller::kCpu), "cpu.stat"), "usage_usec"));
  }
  return micros(single_value(text_of(group.dir(Controller::kCpuacct), "cpuacct.usage")), kNanos);
}

}  // namespace outrigger::sys
