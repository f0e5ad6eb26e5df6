#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/unique_fd.h"

// The lines of one file from the front, and from the back. By read(2), not by mmap(2): the writer may cut the file back
// at any time, and a page that is gone is a signal instead of an answer.
namespace outrigger::ledger {

// A line without its newline. The text is good until the next call.
struct RawLine {
  std::string_view text;
  bool finished = true;   // a newline follows
  bool too_long = false;  // more than kMaxLine bytes, of which `text` is the beginning
};

class LineReader {
 public:
  explicit LineReader(base::UniqueFd file);

  // Nothing at the end of the file. What stands after the last newline is a line that is not finished.
  base::Result<std::optional<RawLine>> next();

 private:
  base::Status fill();
  base::Result<std::optional<RawLine>> pass_over_long();

  base::UniqueFd file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;  // of what has been read and not been given out
  std::size_t end_ = 0;
  bool at_end_ = false;
};

// The pieces of a file between its newlines, from the back: the first is what stands after the last newline, and empty
// for a file whose last line is finished.
class ReverseReader {
 public:
  // The file as long as it is now.
  static base::Result<ReverseReader> open(base::UniqueFd file);

  // Of the file.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  // Nothing when the file's first piece has been given. The text is good until the next call.
  base::Result<std::optional<std::string_view>> next();

 private:
  ReverseReader(base::UniqueFd file, std::uint64_t size) : file_(std::move(file)), bytes_(size), start_(size) {}
  base::Status extend();

  base::UniqueFd file_;
  std::uint64_t bytes_;
  std::uint64_t start_;  // where the buffer begins in the file
  std::string buffer_;   // of which the first `length_` bytes have not been given out
  std::size_t length_ = 0;
  std::size_t block_ = std::size_t{64} << 10;
  bool done_ = false;
};

}  // namespace outrigger::ledger
