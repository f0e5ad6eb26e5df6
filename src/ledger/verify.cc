#include "ledger/verify.h"

#include <utility>

#include "ledger/chain_check.h"
#include "ledger/line_reader.h"
#include "ledger/scan.h"
#include "ledger/segments.h"

namespace outrigger::ledger {
namespace {

Item to_item(const RawLine& raw, Place place) {
  Item item;
  item.place = place;
  const auto line = raw.too_long ? std::nullopt : parse_line(raw.text);
  if (!line) return item;
  item.readable = true;
  item.sound = hash_of(*line) == line->hash;
  item.seq = line->seq;
  item.prev = to_hash(line->prev);
  item.hash = to_hash(line->hash);
  return item;
}

// Adds the lines of one file to the check, and gives how many are finished.
base::Result<std::uint64_t> check_segment(base::UniqueFd file, const Segment& segment, std::size_t index, bool newest,
                                          ChainCheck& check) {
  LineReader reader(std::move(file));
  Place place{index, 0};
  for (;;) {
    const auto read = reader.next();
    if (!read) return std::unexpected(read.error());
    const std::optional<RawLine>& raw = *read;
    if (!raw) return place.line;
    ++place.line;
    Item item = to_item(*raw, place);
    if (place.line == 1) item.named_seq = segment.first_seq;
    if (!raw->finished) {
      check.report(FaultKind::kTorn, place, item.seq,
                   newest ? "The last line is not finished: a writer is at work, or was cut short."
                          : "No newline behind the file's last line.");
      // What the writer has not finished it has not acknowledged.
      if (newest) return place.line - 1;
      item.reported = true;
    }
    check.add(item);
  }
}

std::vector<Fault> to_faults(const ChainCheck& check, const std::vector<Segment>& segments) {
  std::vector<Fault> faults;
  for (const ChainCheck::Finding& finding : check.findings()) {
    const bool somewhere = finding.place.line > 0;
    faults.push_back({finding.kind, somewhere ? segments[finding.place.segment].file : std::string(),
                      finding.place.line, finding.seq, finding.sentence});
  }
  return faults;
}

}  // namespace

base::Result<Verification> verify(int dir, std::string_view name, const VerifyOptions& options) {
  if (!is_ledger_name(name)) return base::failure(base::Code::kInvalid, "ledger_verify", "no name of a ledger");
  const auto segments = list_segments(dir, name);
  if (!segments) return std::unexpected(segments.error());
  ChainCheck check(name, options.anchors, options.max_faults);
  Verification result;
  for (std::size_t i = 0; i < segments->size(); ++i) {
    const Segment& segment = (*segments)[i];
    auto file = open_for_reading(dir, segment);
    if (!file) return std::unexpected(file.error());
    const auto lines = check_segment(std::move(*file), segment, i, i + 1 == segments->size(), check);
    if (!lines) return std::unexpected(lines.error());
    result.lines += *lines;
  }
  check.finish();
  result.segments = segments->size();
  result.first_seq = check.first_seq();
  if (const std::optional<Item>& last = check.last()) result.head = {last->seq, std::string(view(last->hash))};
  result.faults = to_faults(check, *segments);
  result.fault_count = check.finding_count();
  return result;
}

}  // namespace outrigger::ledger
