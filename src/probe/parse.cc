#include "probe/parse.h"

#include <algorithm>
#include <limits>

namespace outrigger::probe {
namespace {

constexpr std::string_view kNone = "max";

// The counter's highest value is LONG_MAX in whole pages, and no page is larger than 64 KiB.
constexpr std::uint64_t kHighestV1Limit = std::numeric_limits<std::int64_t>::max() - 0xFFFFULL;

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Calls `matches` with each line until it says yes.
template <typename Matches>
bool any_line(std::string_view text, Matches matches) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (matches(text.substr(0, end))) return true;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return false;
}

bool has_key(std::string_view text, std::string_view key) {
  return any_line(text, [key](std::string_view line) {
    return line.starts_with(key) && (line.size() == key.size() || line[key.size()] == ' ');
  });
}

}  // namespace

Figure parse_number(std::string_view text) {
  if (const auto value = sys::single_value(text)) return *value;
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text == kNone ? Absence::kNoLimit : Absence::kMalformed;
}

Figure parse_key(std::string_view text, std::string_view key) {
  if (const auto value = sys::flat_key(text, key)) return *value;
  return has_key(text, key) ? Absence::kMalformed : Absence::kNoKey;
}

CpuMax parse_cpu_max(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return {Absence::kMalformed, Absence::kMalformed};
  const Figure period = parse_number(text.substr(space + 1));
  const std::string_view quota = text.substr(0, space);
  return {quota.contains('\n') ? Figure(Absence::kMalformed) : parse_number(quota),
          period || period.absence() == Absence::kMalformed ? period : Figure(Absence::kMalformed)};
}

Figure parse_v1_memory_limit(std::string_view text) {
  const Figure limit = parse_number(text);
  return limit && *limit >= kHighestV1Limit ? Figure(Absence::kNoLimit) : limit;
}

Figure parse_v1_quota(std::string_view text) {
  return text == "-1\n" || text == "-1" ? Figure(Absence::kNoLimit) : parse_number(text);
}

Figure parse_pressure(std::string_view text) {
  constexpr std::string_view kStart = "some avg10=";
  std::string_view value;
  const bool found = any_line(text, [&](std::string_view line) {
    if (!line.starts_with(kStart)) return false;
    value = line.substr(kStart.size());
    return true;
  });
  if (!found) return Absence::kNoKey;
  value = value.substr(0, value.find(' '));
  const std::size_t dot = value.find('.');
  if (dot == std::string_view::npos || !all_digits(value.substr(dot + 1)) || value.size() != dot + 3) {
    return Absence::kMalformed;
  }
  const auto whole = sys::single_value(value.substr(0, dot));
  // An average of time lost is a share of it; more than all of it would be something else than it says.
  if (!whole || *whole > 100) return Absence::kMalformed;
  return *whole * 100 + static_cast<std::uint64_t>((value[dot + 1] - '0') * 10 + (value[dot + 2] - '0'));
}

Figure microseconds_of(Figure nanoseconds) {
  constexpr std::uint64_t kNanosPerMicro = 1000;
  return nanoseconds ? Figure(*nanoseconds / kNanosPerMicro) : nanoseconds;
}

}  // namespace outrigger::probe
