#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace outrigger::ledger {

// The file that is being added to, as the writer needs it; tests put one that fails in its place. Errors are kSystem
// with their errno.
class SegmentFile {
 public:
  SegmentFile() = default;
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;
  virtual ~SegmentFile() = default;

  // Bytes of it. ENOENT if the file has been removed from its directory: what is written to it is gone with the
  // descriptor.
  virtual base::Result<std::uint64_t> size() = 0;
  // At the end; as write(2), it may take fewer than it was given.
  virtual base::Result<std::size_t> write(std::string_view bytes) = 0;
  // What was written is on the disk (fdatasync(2)).
  virtual base::Status sync() = 0;
  virtual base::Status truncate(std::uint64_t size) = 0;
};

// Opens the file of this name in a directory; with `create` it must not exist yet.
using OpenSegment =
    std::function<base::Result<std::unique_ptr<SegmentFile>>(int dir, const std::string& file, bool create)>;

// The real one. Mode 0640.
base::Result<std::unique_ptr<SegmentFile>> open_segment_file(int dir, const std::string& file, bool create);

}  // namespace outrigger::ledger
