#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ledger/segment_file.h"

namespace outrigger::ledger {

// The end of a ledger's newest file. Either all lines of a call are on the disk behind it, or none is in the file:
// after a failed write or sync the page cache may hold what the disk does not, and the kernel says so once only, so the
// file is cut back, closed and opened again before anything else is written. One thread.
class SegmentWriter {
 public:
  // `dir` stays the caller's. `file` with `bytes` is where to go on; an empty name begins a file with the first lines.
  SegmentWriter(int dir, std::string name, OpenSegment open, std::uint64_t segment_bytes, std::string file,
                std::uint64_t bytes);

  // `lines` are whole lines, of which the first has this number. They come into a new file if the one there would grow
  // beyond segment_bytes. Errors: kSystem, kConflict; the same lines may be tried again.
  base::Status append(std::string_view lines, std::uint64_t first_seq);

  // Where the last lines went, or should have gone.
  [[nodiscard]] const std::string& file() const { return file_name_; }

 private:
  void begin_segment(std::uint64_t first_seq);
  base::Status make_ready(std::uint64_t first_seq);
  base::Status open();
  base::Status measure();
  base::Status write_and_sync(std::string_view lines);
  void cut_back();

  int dir_;
  std::string name_;
  OpenSegment open_;
  std::uint64_t segment_bytes_;
  std::string file_name_;
  std::uint64_t bytes_;  // of the file, on the disk
  std::unique_ptr<SegmentFile> file_;
  bool create_ = false;      // the file is still to be made
  bool name_synced_ = true;  // and its name is on the disk
};

}  // namespace outrigger::ledger
