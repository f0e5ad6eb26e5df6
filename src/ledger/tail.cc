#include "ledger/tail.h"

#include <unistd.h>

#include <array>
#include <ranges>
#include <utility>

#include "ledger/line_reader.h"
#include "ledger/scan.h"
#include "ledger/segments.h"

namespace outrigger::ledger {
namespace {

constexpr std::size_t kShown = 200;

// What stands behind the last sound line, met from the back.
class BrokenEnd {
 public:
  void add(std::string_view text, const std::string& file) {
    const auto line = parse_line(text);
    if (line && !last_readable_) last_readable_ = Head{line->seq, std::string(line->hash)};
    if (line) ++readable_;
    if (count_++ == 0) file_ = file;
    last_was_readable_ = last_was_readable_ || (count_ == 1 && line.has_value());
  }

  // The chain goes on from the hash as it is written. The number counts on from the sound line before: the one that is
  // written may have been changed.
  void settle(const Head& sound, Tail& tail) const {
    tail.head = sound;
    if (count_ == 0) return;
    if (last_readable_) tail.head = {sound.seq + readable_, last_readable_->hash};
    tail.broken = "The last line of " + file_ +
                  (last_was_readable_ ? " does not give the hash that it carries" : " is not of a ledger's form") +
                  (count_ > 1 ? ", and " + std::to_string(count_ - 1) + " more before it are broken" : std::string()) +
                  "; nothing was repaired, and the chain goes on after line " + std::to_string(tail.head.seq) + ".";
  }

 private:
  std::optional<Head> last_readable_;
  std::uint64_t readable_ = 0;
  std::uint64_t count_ = 0;
  bool last_was_readable_ = false;
  std::string file_;
};

// The last line in this file that is what its hash says, and in `broken` what stands behind it.
base::Result<std::optional<Head>> last_sound(ReverseReader& reader, const std::string& file, BrokenEnd& broken) {
  for (;;) {
    const auto piece = reader.next();
    if (!piece) return std::unexpected(piece.error());
    const std::optional<std::string_view>& text = *piece;
    if (!text) return std::nullopt;
    const auto line = parse_line(*text);
    if (line && hash_of(*line) == line->hash) return Head{line->seq, std::string(line->hash)};
    broken.add(*text, file);
  }
}

base::Result<ReverseReader> open_from_behind(int dir, const Segment& segment) {
  auto file = open_for_reading(dir, segment);
  if (!file) return std::unexpected(file.error());
  return ReverseReader::open(std::move(*file));
}

// What stands after a file's last newline is torn in the newest file, and broken in any other.
void note_unfinished(std::string_view rest, std::uint64_t file_bytes, const Segment& segment, Tail& tail,
                     BrokenEnd& broken) {
  if (tail.file.empty()) {
    tail.file = segment.file;
    tail.torn_bytes = rest.size();
    tail.torn_text = printable(rest, kShown);
    tail.whole_bytes = file_bytes - tail.torn_bytes;
  } else if (!rest.empty()) {
    broken.add(rest, segment.file);
  }
}

}  // namespace

base::Result<Tail> read_tail(int dir, std::string_view name) {
  const auto segments = list_segments(dir, name);
  if (!segments) return std::unexpected(segments.error());
  Tail tail;
  BrokenEnd broken;
  for (const Segment& segment : *segments | std::views::reverse) {
    auto reader = open_from_behind(dir, segment);
    if (!reader) return std::unexpected(reader.error());
    const auto rest = reader->next();
    if (!rest) return std::unexpected(rest.error());
    note_unfinished(rest->value_or(""), reader->bytes(), segment, tail, broken);
    auto sound = last_sound(*reader, segment.file, broken);
    if (!sound) return std::unexpected(sound.error());
    if (const std::optional<Head>& found = *sound) {
      broken.settle(*found, tail);
      return tail;
    }
  }
  broken.settle(before_first(name), tail);
  return tail;
}

base::Status settle_tail(int dir, const Tail& tail, const OpenSegment& open) {
  if (tail.file.empty()) return {};
  const auto file = open(dir, tail.file, false);
  if (!file) return std::unexpected(file.error());
  if (tail.torn_bytes > 0) {
    if (const auto cut = (*file)->truncate(tail.whole_bytes); !cut) return cut;
  }
  if (const auto synced = (*file)->sync(); !synced) return synced;
  if (::fsync(dir) != 0) return base::system_error("ledger_sync", "the ledger's directory");
  return {};
}

std::string printable(std::string_view bytes, std::size_t max) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const char c : bytes.substr(0, max)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\\') {
      text += c;
    } else {
      text.append("\\x").append({kHex[byte >> 4U], kHex[byte & 0xfU]});
    }
  }
  return text;
}

}  // namespace outrigger::ledger
