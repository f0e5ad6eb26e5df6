// The probe's parsers of kernel files with any bytes: a figure only ever comes from digits that stand in the text, and
// what is absent has one of the reasons a text can give.
//
// kernel_files [-max_total_time=60] [CORPUS_DIR]    (libFuzzer)

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "probe/parse.h"
#include "probe/parse_proc.h"

namespace outrigger::probe {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void require_stands_in(std::string_view text, std::uint64_t value) { require(text.contains(std::to_string(value))); }

// What is true of every figure a parser makes of `text`; gives whether there is one.
bool sound(const Figure& figure, std::initializer_list<Absence> reasons) {
  if (figure) return true;
  require(std::ranges::find(reasons, figure.absence()) != reasons.end());
  return false;
}

void number_files(std::string_view text) {
  const Figure number = parse_number(text);
  if (sound(number, {Absence::kMalformed, Absence::kNoLimit})) require_stands_in(text, *number);
  const Figure limit = parse_v1_memory_limit(text);
  if (sound(limit, {Absence::kMalformed, Absence::kNoLimit})) require(number && *number == *limit);
  const Figure quota = parse_v1_quota(text);
  if (sound(quota, {Absence::kMalformed, Absence::kNoLimit})) require(number && *number == *quota);
  const Figure micros = microseconds_of(number);
  require(static_cast<bool>(micros) == static_cast<bool>(number));
  if (number) require(*micros == *number / 1000);
  const CpuMax max = parse_cpu_max(text);
  if (sound(max.quota_usec, {Absence::kMalformed, Absence::kNoLimit})) require_stands_in(text, *max.quota_usec);
  if (sound(max.period_usec, {Absence::kMalformed})) require_stands_in(text, *max.period_usec);
}

void keyed_files(std::string_view text) {
  for (const std::string_view key : {"oom", "oom_kill", "max", "usage_usec", "inactive_file"}) {
    const Figure value = parse_key(text, key);
    if (sound(value, {Absence::kMalformed, Absence::kNoKey})) {
      require(text.contains(std::string(key) + " "));
      require_stands_in(text, *value);
    }
  }
  const Figure pressure = parse_pressure(text);
  if (sound(pressure, {Absence::kMalformed, Absence::kNoKey})) {
    const std::string hundredths = std::to_string(*pressure % 100);
    const std::string padding = hundredths.size() == 1 ? "0" : "";
    require(text.contains(std::to_string(*pressure / 100) + "." + padding + hundredths));
    require(*pressure <= 10'099);
  }
}

void proc_files(std::string_view text) {
  const Figure memory = parse_meminfo(text, "MemTotal");
  if (sound(memory, {Absence::kMalformed, Absence::kNoKey})) {
    require(*memory % 1024 == 0);
    require_stands_in(text, *memory / 1024);
  }
  for (const pid_t pid : parse_pids(text)) {
    require(pid >= 0);
    require_stands_in(text, static_cast<std::uint64_t>(pid));
  }
  if (const auto pid_namespace = parse_namespace(text)) require_stands_in(text, *pid_namespace);
  if (const auto nspid = parse_nspid(text)) {
    require(nspid->depth > 0 && nspid->innermost >= 0);
    require_stands_in(text, static_cast<std::uint64_t>(nspid->innermost));
  }
  if (const auto cpus = parse_cpu_list(text)) {
    require(!cpus->empty() && cpus->size() <= 8192);
    require(std::ranges::adjacent_find(*cpus, std::ranges::greater_equal{}) == cpus->end());
    require_stands_in(text, cpus->front());
    require_stands_in(text, cpus->back());
  }
}

}  // namespace
}  // namespace outrigger::probe

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  outrigger::probe::number_files(text);
  outrigger::probe::keyed_files(text);
  outrigger::probe::proc_files(text);
  return 0;
}
