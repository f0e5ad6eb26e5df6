#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::audit {

// What a record says of its job.
enum class RecordKind : char {
  kBegin = 'B',  // it begins; the content is its row as it is to be if nothing follows
  kEnd = 'E',    // its row
  kHold = 'H',   // its row, if a kKeep follows
  kKeep = 'K',
  kDrop = 'D',  // neither row nor anything else: another attempt will tell
};

struct Record {
  RecordKind kind = RecordKind::kBegin;
  std::string job_id;
  std::string content;  // JSON of wire/run_record.h; empty for kKeep and kDrop
};

// A place between two records.
struct Position {
  std::uint64_t segment = 0;
  std::uint64_t offset = 0;  // bytes
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct ReadBatch {
  std::vector<Record> records;
  Position next;  // where to read on
};

// Records on disk, in the order in which they came: files <16 hexadecimal digits>.log, each record with its length and
// checksum. A record is whole in one write(2), so it survives this process whatever becomes of it; what sync() has seen
// survives the machine. Nothing is ever added to a file of an earlier process, so a torn end is where that file's
// records end. open(), append() and open_next() belong to one thread, the rest to any.
class Journal {
 public:
  struct Options {
    std::uint64_t segment_bytes = 8U << 20;  // a new file is begun when one is larger
    std::uint64_t max_bytes = 1U << 30;      // of all files; beyond it append() answers kExhausted
  };

  // `dir` stays the caller's, and open.
  Journal(int dir, Options options) : dir_(dir), options_(options) {}

  // Finds what there is, and begins a file of its own after it. Error step: audit_spool.
  base::Status open();
  // Where the oldest record is.
  [[nodiscard]] Position begin() const;
  [[nodiscard]] Position end() const;
  [[nodiscard]] std::uint64_t bytes() const;

  // Errors: kExhausted at max_bytes, kSystem; then nothing was added.
  base::Status append(const Record& record);
  // Whether the current file is as large as it should be: time for open_next().
  [[nodiscard]] bool segment_full() const;
  base::Status open_next();

  // The records from there on, about `max_bytes` of them, fewer at the end. Records that can't be read are passed over
  // with their file's rest, and said in the log.
  base::Result<ReadBatch> read(Position from, std::size_t max_bytes) const;
  // Everything appended so far is on the disk when it returns.
  base::Status sync();
  // Removes the files that end at or before this place.
  void remove_before(Position place);

 private:
  struct Segment {
    std::uint64_t number = 0;
    std::uint64_t size = 0;
  };

  base::Status find_segments();
  std::optional<Segment> segment_at_or_after(std::uint64_t number) const;
  base::Result<std::size_t> read_segment(const Segment& segment, std::size_t max_bytes, ReadBatch& batch) const;

  int dir_;
  Options options_;
  base::UniqueFd file_;                  // the last segment
  mutable std::mutex mutex_;             // over what follows
  std::vector<base::UniqueFd> retired_;  // files before the last that sync() has not seen yet
  std::deque<Segment> segments_;
  std::uint64_t bytes_ = 0;
};

}  // namespace outrigger::audit
