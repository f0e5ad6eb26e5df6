#include "ledger/segments.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "sys/directory.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kStep = "ledger_list";
constexpr std::string_view kSuffix = ".jsonl";
constexpr std::size_t kMinDigits = 12;
constexpr std::size_t kMaxDigits = 18;
constexpr std::size_t kMaxName = 64;

std::optional<std::uint64_t> first_seq_of(std::string_view file, std::string_view name) {
  if (!file.starts_with(name) || !file.ends_with(kSuffix)) return std::nullopt;
  file.remove_prefix(name.size());
  if (!file.starts_with('-') || file.size() < 1 + kSuffix.size()) return std::nullopt;
  const std::string_view digits = file.substr(1, file.size() - 1 - kSuffix.size());
  if (digits.size() < kMinDigits || digits.size() > kMaxDigits) return std::nullopt;
  std::uint64_t first = 0;
  const auto [stop, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), first);
  if (ec != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  return first;
}

}  // namespace

std::string segment_file_name(std::string_view name, std::uint64_t first_seq) {
  std::string digits = std::to_string(first_seq);
  if (digits.size() < kMinDigits) digits.insert(0, kMinDigits - digits.size(), '0');
  return std::string(name) + "-" + digits + std::string(kSuffix);
}

bool is_ledger_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

base::Result<std::vector<Segment>> list_segments(int dir, std::string_view name) {
  const auto files = sys::names_in(dir, sys::EntryType::kFile);
  if (!files) return base::system_error(kStep, name, files.error().errno_value);
  std::vector<Segment> segments;
  for (const std::string& file : *files) {
    if (const auto first = first_seq_of(file, name)) segments.push_back({*first, file});
  }
  std::ranges::sort(segments, {}, [](const Segment& segment) { return std::pair(segment.first_seq, segment.file); });
  return segments;
}

}  // namespace outrigger::ledger
