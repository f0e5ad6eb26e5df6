#include "ledger/segment_writer.h"

#include <utility>

#include <unistd.h>

#include "base/log.h"
#include "ledger/segments.h"

namespace outrigger::ledger {

SegmentWriter::SegmentWriter(int dir, std::string name, OpenSegment open, std::uint64_t segment_bytes, std::string file,
                             std::uint64_t bytes)
    : dir_(dir),
      name_(std::move(name)),
      open_(std::move(open)),
      segment_bytes_(segment_bytes),
      file_name_(std::move(file)),
      bytes_(bytes) {}

base::Status SegmentWriter::append(std::string_view lines, std::uint64_t first_seq) {
  const bool full = bytes_ > 0 && bytes_ + lines.size() > segment_bytes_;
  if (file_name_.empty() || full) begin_segment(first_seq);
  if (const auto ready = make_ready(first_seq); !ready) return ready;
  if (const auto measured = measure(); !measured) {
    file_.reset();
    return measured;
  }
  if (const auto written = write_and_sync(lines); !written) {
    cut_back();
    return written;
  }
  bytes_ += lines.size();
  return {};
}

void SegmentWriter::begin_segment(std::uint64_t first_seq) {
  file_.reset();
  file_name_ = segment_file_name(name_, first_seq);
  bytes_ = 0;
  create_ = true;
  name_synced_ = false;
}

base::Status SegmentWriter::make_ready(std::uint64_t first_seq) {
  if (!file_) {
    auto opened = open();
    if (!opened && !create_ && opened.error().errno_value == ENOENT) {
      // Somebody removed it. What it held is lost; what waits is not, and verify() will tell of the gap.
      base::log(base::Level::kError, "ledger_segment_removed", {{"file", file_name_}});
      begin_segment(first_seq);
      opened = open();
    }
    if (!opened) return opened;
  }
  // Else the file could be missing after a power loss, whatever had been synced into it.
  if (!name_synced_ && ::fsync(dir_) != 0) return base::system_error("ledger_sync", "the ledger's directory");
  name_synced_ = true;
  return {};
}

base::Status SegmentWriter::open() {
  auto file = open_(dir_, file_name_, create_);
  if (!file) return std::unexpected(file.error());
  create_ = false;
  const auto size = (*file)->size();
  if (!size) return std::unexpected(size.error());
  // What a failed attempt left.
  if (*size > bytes_) {
    if (const auto cut = (*file)->truncate(bytes_); !cut) return cut;
  }
  file_ = std::move(*file);
  return {};
}

// Nobody else should write here. If somebody did, then what must never be cut off ends elsewhere than we thought.
base::Status SegmentWriter::measure() {
  const auto size = file_->size();
  if (!size) return std::unexpected(size.error());
  if (*size != bytes_) {
    base::log(base::Level::kError, "ledger_segment_changed",
              {{"file", file_name_}, {"bytes", std::to_string(*size)}, {"expected", std::to_string(bytes_)}});
    bytes_ = *size;
  }
  return {};
}

base::Status SegmentWriter::write_and_sync(std::string_view lines) {
  while (!lines.empty()) {
    const auto written = file_->write(lines);
    if (!written) return std::unexpected(written.error());
    if (*written == 0) return base::system_error("ledger_write", file_name_, EIO);
    lines.remove_prefix(*written);
  }
  if (const auto synced = file_->sync(); !synced) return synced;
  const auto size = file_->size();
  if (!size) return std::unexpected(size.error());
  return {};
}

void SegmentWriter::cut_back() {
  // At once, so that nobody reads what does not count. If it fails, open() does it before the next write.
  if (const auto cut = file_->truncate(bytes_); !cut) {
    base::log(base::Level::kError, "ledger_not_cut_back", {{"file", file_name_}, {"error", cut.error().text()}});
  }
  file_.reset();
}

}  // namespace outrigger::ledger
