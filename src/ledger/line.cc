#include "ledger/line.h"

#include <algorithm>

#include "digest/digest.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kSeq = R"({"seq":)";
constexpr std::string_view kRecordedAt = R"(,"recorded_at":")";
constexpr std::string_view kPrev = R"(","prev":")";
constexpr std::string_view kHash = R"(,"hash":")";
constexpr std::string_view kEnd = R"("})";
constexpr std::string_view kTimeForm = "0000-00-00T00:00:00.000000Z";
constexpr std::size_t kMaxSeqDigits = 18;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::optional<std::uint64_t> take_seq(std::string_view& text) {
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && is_digit(text[digits]); ++digits) {
    if (digits == kMaxSeqDigits) return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(text[digits] - '0');
  }
  if (digits == 0 || text.front() == '0') return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

std::optional<std::string_view> take_time(std::string_view& text) {
  const std::string_view time = text.substr(0, kTimeForm.size());
  const bool fits = std::ranges::equal(
      time, kTimeForm, [](char given, char form) { return form == '0' ? is_digit(given) : given == form; });
  if (!fits) return std::nullopt;
  text.remove_prefix(time.size());
  return time;
}

std::optional<std::string_view> take_hash(std::string_view& text) {
  const std::string_view hash = text.substr(0, kHashDigits);
  const bool fits = hash.size() == kHashDigits &&
                    std::ranges::all_of(hash, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  if (!fits) return std::nullopt;
  text.remove_prefix(kHashDigits);
  return hash;
}

// Splits the hash, which is at a known distance from the end, off the line: what the members say can't be mistaken for
// it.
bool split_hash(std::string_view text, Line& line) {
  constexpr std::size_t kTail = kHash.size() + kHashDigits + kEnd.size();
  if (text.size() < kTail) return false;
  line.content = text.substr(0, text.size() - kTail);
  std::string_view tail = text.substr(line.content.size());
  if (!take(tail, kHash)) return false;
  const auto hash = take_hash(tail);
  if (!hash || tail != kEnd) return false;
  line.hash = *hash;
  return true;
}

}  // namespace

Head before_first(std::string_view name) {
  return {0, digest::sha256_hex("outrigger ledger " + std::string(name) + " 1")};
}

Head append_line(std::string& text, const Head& before, std::string_view recorded_at, std::string_view members) {
  const std::size_t begin = text.size();
  const std::uint64_t seq = before.seq + 1;
  text.append(kSeq).append(std::to_string(seq));
  text.append(kRecordedAt).append(recorded_at);
  text.append(kPrev).append(before.hash).append("\"");
  if (!members.empty()) {
    text.append(",");
    const std::size_t at = text.size();
    text.append(members);
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n', ' ');
  }
  Head head{seq, digest::sha256_hex(std::string_view(text).substr(begin))};
  text.append(kHash).append(head.hash).append(kEnd).append("\n");
  return head;
}

std::optional<Line> parse_line(std::string_view text) {
  Line line;
  if (text.size() >= kMaxLine || text.find('\n') != std::string_view::npos || !split_hash(text, line)) {
    return std::nullopt;
  }
  std::string_view rest = line.content;
  if (!take(rest, kSeq)) return std::nullopt;
  const auto seq = take_seq(rest);
  if (!seq || !take(rest, kRecordedAt)) return std::nullopt;
  const auto recorded_at = take_time(rest);
  if (!recorded_at || !take(rest, kPrev)) return std::nullopt;
  const auto prev = take_hash(rest);
  if (!prev || !take(rest, "\"")) return std::nullopt;
  if (!rest.empty() && (rest.size() == 1 || !take(rest, ","))) return std::nullopt;
  line.seq = *seq;
  line.recorded_at = *recorded_at;
  line.prev = *prev;
  line.members = rest;
  return line;
}

std::string hash_of(const Line& line) { return digest::sha256_hex(line.content); }

}  // namespace outrigger::ledger
