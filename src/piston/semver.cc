#include "piston/semver.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace outrigger::piston {
namespace {

constexpr std::size_t kMaxRange = 256;  // as node-semver
constexpr std::uint64_t kMaxNumber = 1'000'000'000'000;
constexpr Version kLowest{0, 0, 0};
constexpr Version kAbove{std::numeric_limits<std::uint64_t>::max(), 0, 0};  // beyond every version

// Any range of versions without pre-releases is a union of intersections of these: low <= version < high.
struct Interval {
  Version low = kLowest;
  Version high = kAbove;
};

// "1", "1.2", "1.2.3", "1.x", "*": what it covers, and how much of it was said.
struct Partial {
  std::size_t parts = 0;
  Version low = kLowest;
  Version high = kAbove;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size() || value > kMaxNumber) return std::nullopt;
  return value;
}

bool is_wildcard(std::string_view part) { return part == "x" || part == "X" || part == "*"; }

bool is_qualifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
  });
}

// The first version after all that begin with the first `parts` numbers of `low`.
Version after(const Version& low, std::size_t parts) {
  if (parts == 0) return kAbove;
  Version out = kLowest;
  for (std::size_t i = 0; i < parts; ++i) out.at(i) = low.at(i);
  ++out.at(parts - 1);
  return out;
}

std::optional<Partial> parse_partial(std::string_view text) {
  while (text.starts_with('v') || text.starts_with('=')) text.remove_prefix(1);
  if (const std::size_t build = text.find('+'); build != std::string_view::npos) {
    if (!is_qualifier(text.substr(build + 1))) return std::nullopt;
    text = text.substr(0, build);
  }
  bool early = false;  // a pre-release: before the version it leads to, so none of ours is equal to it
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    if (!is_qualifier(text.substr(dash + 1))) return std::nullopt;
    early = true;
    text = text.substr(0, dash);
  }
  Partial out;
  if (text.empty()) return early ? std::nullopt : std::optional(out);
  bool wild = false;
  for (std::size_t place = 0; place < 3; ++place) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, dot);
    const auto value = number(part);
    if (!value && !is_wildcard(part)) return std::nullopt;
    wild = wild || !value;
    if (!wild) out.low.at(out.parts++) = *value;
    if (dot == text.size()) {
      out.high = early ? out.low : after(out.low, out.parts);
      return early && out.parts < 3 ? std::nullopt : std::optional(out);
    }
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;  // a fourth part
}

// "^": up to the next change of the first number that is not zero.
Version compatible_end(const Partial& partial) {
  for (std::size_t i = 0; i < partial.parts; ++i) {
    if (partial.low.at(i) > 0 || i + 1 == partial.parts) return after(partial.low, i + 1);
  }
  return kAbove;
}

std::optional<Interval> parse_comparator(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("<>=~^"), text.size());
  const std::string_view sign = text.substr(0, end);
  const auto partial = parse_partial(text.substr(end));
  if (!partial) return std::nullopt;
  if (sign.empty() || sign == "=") return Interval{partial->low, partial->high};
  if (sign == ">") return Interval{partial->high, kAbove};
  if (sign == ">=") return Interval{partial->low, kAbove};
  if (sign == "<") return Interval{kLowest, partial->low};
  if (sign == "<=") return Interval{kLowest, partial->high};
  if (sign == "~" || sign == "~>") {
    return Interval{partial->low, after(partial->low, std::min<std::size_t>(partial->parts, 2))};
  }
  if (sign == "^") return Interval{partial->low, compatible_end(*partial)};
  return std::nullopt;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool joined = false;  // "> = 1" is not, but ">= 1" is one comparator
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t", begin), text.size());
    const std::string_view word = text.substr(begin, at - begin);
    if (joined) {
      words.back() += word;
    } else {
      words.emplace_back(word);
    }
    joined = word.find_first_not_of("<>=~^") == std::string_view::npos;
  }
  return words;
}

// Comparators that must all hold; nothing where one can't be read.
std::optional<Interval> parse_all(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() == 3 && words[1] == "-") {
    const auto from = parse_partial(words[0]);
    const auto to = parse_partial(words[2]);
    if (!from || !to) return std::nullopt;
    return Interval{from->low, to->high};
  }
  Interval out;
  for (const std::string& word : words) {
    const auto each = parse_comparator(word);
    if (!each) return std::nullopt;
    out = {std::max(out.low, each->low), std::min(out.high, each->high)};
  }
  return out;
}

}  // namespace

Version version_of_package(std::string_view debian) {
  if (const std::size_t epoch = debian.find(':'); epoch != std::string_view::npos) debian.remove_prefix(epoch + 1);
  Version out = kLowest;
  for (std::uint64_t& part : out) {
    const std::size_t end = std::min(debian.find_first_not_of("0123456789"), debian.size());
    part = number(debian.substr(0, end)).value_or(0);
    if (end == debian.size() || debian[end] != '.') break;
    debian.remove_prefix(end + 1);
  }
  return out;
}

bool satisfies(const Version& version, std::string_view range) {
  if (range.size() > kMaxRange) return false;
  bool found = false;
  while (true) {
    const std::size_t bar = std::min(range.find("||"), range.size());
    const auto interval = parse_all(range.substr(0, bar));
    if (!interval) return false;
    found = found || (interval->low <= version && version < interval->high);
    if (bar == range.size()) return found;
    range.remove_prefix(bar + 2);
  }
}

}  // namespace outrigger::piston
