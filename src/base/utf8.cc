#include "base/utf8.h"

#include <cstdint>

namespace outrigger::base {
namespace {

struct Sequence {
  std::size_t length = 1;  // bytes consumed: a whole character, or a maximal ill-formed subpart
  bool valid = false;
  bool unfinished = false;  // ill-formed only because the input ended
};

// The well-formed ranges of Unicode 15 table 3-7, from the first byte: how many follow, and what the second may be.
Sequence next(std::string_view in) {
  const auto at = [in](std::size_t i) { return static_cast<std::uint8_t>(in[i]); };
  const std::uint8_t lead = at(0);
  if (lead < 0x80) return {1, true, false};
  if (lead < 0xc2 || lead > 0xf4) return {1, false, false};
  const std::size_t want = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xbf;
  if (lead == 0xe0) low = 0xa0;
  if (lead == 0xed) high = 0x9f;
  if (lead == 0xf0) low = 0x90;
  if (lead == 0xf4) high = 0x8f;
  for (std::size_t i = 1; i < want; ++i) {
    if (i >= in.size()) return {i, false, true};
    if (at(i) < low || at(i) > high) return {i, false, false};
    low = 0x80;
    high = 0xbf;
  }
  return {want, true, false};
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Sequence sequence = next(bytes);
    if (!sequence.valid) return false;
    bytes.remove_prefix(sequence.length);
  }
  return true;
}

std::string to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const Sequence sequence = next(bytes);
    if (sequence.valid) {
      out.append(bytes.substr(0, sequence.length));
    } else {
      out.append("\xef\xbf\xbd");
    }
    bytes.remove_prefix(sequence.length);
  }
  return out;
}

std::size_t complete_prefix(std::string_view bytes) {
  // An unfinished character is at most three bytes long, so only the tail needs a look.
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const std::size_t start = bytes.size() - back;
    const auto byte = static_cast<std::uint8_t>(bytes[start]);
    if ((byte & 0xc0) == 0x80) continue;
    const Sequence sequence = next(bytes.substr(start));
    return sequence.unfinished && sequence.length == back ? start : bytes.size();
  }
  return bytes.size();
}

}  // namespace outrigger::base
