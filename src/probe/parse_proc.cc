#include "probe/parse_proc.h"

#include <charconv>
#include <limits>

namespace outrigger::probe {
namespace {

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The next part of `rest` up to `separator`, which is taken away with it.
std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

// What stands behind "name:" at the beginning of a line.
std::optional<std::string_view> after_name(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = next_part(text, '\n');
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':') {
      return line.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

}  // namespace

Figure parse_meminfo(std::string_view text, std::string_view name) {
  constexpr std::string_view kUnit = " kB";
  constexpr std::uint64_t kKibi = 1024;
  auto value = after_name(text, name);
  if (!value) return Absence::kNoKey;
  if (!value->ends_with(kUnit)) return Absence::kMalformed;
  value->remove_suffix(kUnit.size());
  value->remove_prefix(std::min(value->find_first_not_of(' '), value->size()));
  const auto kibibytes = number<std::uint64_t>(*value);
  if (!kibibytes || *kibibytes > std::numeric_limits<std::uint64_t>::max() / kKibi) return Absence::kMalformed;
  return *kibibytes * kKibi;
}

std::vector<pid_t> parse_pids(std::string_view text) {
  std::vector<pid_t> pids;
  while (!text.empty()) {
    const auto pid = number<pid_t>(next_part(text, '\n'));
    if (pid && *pid >= 0) pids.push_back(*pid);
  }
  return pids;
}

std::optional<std::uint64_t> parse_namespace(std::string_view link) {
  constexpr std::string_view kStart = "pid:[";
  if (!link.starts_with(kStart) || !link.ends_with(']')) return std::nullopt;
  return number<std::uint64_t>(link.substr(kStart.size(), link.size() - kStart.size() - 1));
}

std::optional<NamespacedPid> parse_nspid(std::string_view status) {
  auto ids = after_name(status, "NSpid");
  if (!ids) return std::nullopt;
  NamespacedPid found;
  while (!ids->empty()) {
    const std::string_view id = next_part(*ids, '\t');
    if (id.empty()) continue;
    const auto pid = number<pid_t>(id);
    if (!pid || *pid < 0) return std::nullopt;
    found.innermost = *pid;
    ++found.depth;
  }
  return found.depth == 0 ? std::nullopt : std::optional(found);
}

std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text) {
  constexpr unsigned kMostCpus = 8192;  // CONFIG_NR_CPUS of x86_64 at its most
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<unsigned> cpus;
  while (!text.empty()) {
    std::string_view range = next_part(text, ',');
    const bool one = !range.contains('-');
    const auto first = number<unsigned>(next_part(range, '-'));
    const auto last = one ? first : number<unsigned>(range);
    const bool ascending =
        first && last && *first <= *last && *last < kMostCpus && (cpus.empty() || cpus.back() < *first);
    if (!ascending) return std::nullopt;
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  return cpus.empty() ? std::nullopt : std::optional(std::move(cpus));
}

}  // namespace outrigger::probe
