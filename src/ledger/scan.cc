#include "ledger/scan.h"

#include <fcntl.h>

#include <utility>

#include "ledger/line_reader.h"
#include "sys/small_file.h"

namespace outrigger::ledger {
namespace {

base::Result<bool> scan_forward(base::UniqueFd file, const LineCallback& callback) {
  LineReader reader(std::move(file));
  for (;;) {
    const auto raw = reader.next();
    if (!raw) return std::unexpected(raw.error());
    const std::optional<RawLine>& line = *raw;
    if (!line || !line->finished) return true;
    if (!line->too_long && !callback(line->text)) return false;
  }
}

base::Result<bool> scan_backward(base::UniqueFd file, const LineCallback& callback) {
  auto reader = ReverseReader::open(std::move(file));
  if (!reader) return std::unexpected(reader.error());
  bool finished = false;  // what stands after the last newline is not
  for (;;) {
    const auto piece = reader->next();
    if (!piece) return std::unexpected(piece.error());
    const std::optional<std::string_view>& text = *piece;
    if (!text) return true;
    if (finished && text->size() < kMaxLine && !callback(*text)) return false;
    finished = true;
  }
}

}  // namespace

base::Result<base::UniqueFd> open_for_reading(int dir, const Segment& segment) {
  auto file = sys::open_at(dir, segment.file.c_str(), O_RDONLY | O_NOFOLLOW);
  if (!file) return base::system_error("ledger_read", segment.file, file.error().errno_value);
  return file;
}

base::Result<bool> scan(int dir, const Segment& segment, Order order, const LineCallback& callback) {
  auto file = open_for_reading(dir, segment);
  if (!file) return std::unexpected(file.error());
  if (order == Order::kOldestFirst) return scan_forward(std::move(*file), callback);
  return scan_backward(std::move(*file), callback);
}

base::Result<std::string> recorded_at(int dir, const Segment& segment, Order which_first) {
  std::string time;
  const auto scanned = scan(dir, segment, which_first, [&](std::string_view text) {
    const auto line = parse_line(text);
    if (line) time = line->recorded_at;
    return !line;
  });
  if (!scanned) return std::unexpected(scanned.error());
  return time;
}

}  // namespace outrigger::ledger
