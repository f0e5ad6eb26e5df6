#include "ledger/line_reader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "ledger/line.h"

namespace outrigger::ledger {
namespace {

constexpr std::string_view kStep = "ledger_read";
constexpr std::size_t kBuffer = 4 * kMaxLine;
constexpr std::size_t kLargestBlock = std::size_t{1} << 20;
static_assert(kBuffer > kMaxLine);

}  // namespace

LineReader::LineReader(base::UniqueFd file)
    : file_(std::move(file)), buffer_(std::make_unique_for_overwrite<char[]>(kBuffer)) {}

// Reads more behind what is there, which moves to the front.
base::Status LineReader::fill() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (!at_end_ && end_ < kBuffer) {
    const ssize_t got = ::read(file_.get(), buffer_.get() + end_, kBuffer - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error(kStep);
    if (got == 0) at_end_ = true;
    end_ += static_cast<std::size_t>(got);
  }
  return {};
}

base::Result<std::optional<RawLine>> LineReader::next() {
  for (;;) {
    const char* from = buffer_.get() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
    if (newline != nullptr) {
      const std::string_view text(from, static_cast<std::size_t>(newline - from));
      begin_ += text.size() + 1;
      return RawLine{text, true, text.size() >= kMaxLine};
    }
    if (end_ - begin_ >= kMaxLine) return pass_over_long();
    if (at_end_) break;
    if (const auto filled = fill(); !filled) return std::unexpected(filled.error());
  }
  if (begin_ == end_) return std::nullopt;
  const std::string_view rest(buffer_.get() + begin_, end_ - begin_);
  begin_ = end_;
  return RawLine{rest, false, false};
}

// The buffer holds the first kMaxLine bytes of a line and no newline. Only these are kept, at the buffer's front.
base::Result<std::optional<RawLine>> LineReader::pass_over_long() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, kMaxLine);
  begin_ = end_ = 0;
  RawLine line{std::string_view(buffer_.get(), kMaxLine), false, true};
  char* const rest = buffer_.get() + kMaxLine;
  for (;;) {
    const ssize_t got = ::read(file_.get(), rest, kBuffer - kMaxLine);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error(kStep);
    if (got == 0) {
      at_end_ = true;
      return line;
    }
    const auto* newline = static_cast<const char*>(std::memchr(rest, '\n', static_cast<std::size_t>(got)));
    if (newline == nullptr) continue;
    begin_ = static_cast<std::size_t>(newline - buffer_.get()) + 1;
    end_ = kMaxLine + static_cast<std::size_t>(got);
    line.finished = true;
    return line;
  }
}

base::Result<ReverseReader> ReverseReader::open(base::UniqueFd file) {
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return base::system_error(kStep);
  return ReverseReader(std::move(file), static_cast<std::uint64_t>(info.st_size));
}

// Puts the block before the buffer's begin in front of what has not been given out.
base::Status ReverseReader::extend() {
  const std::size_t size = std::min<std::uint64_t>(block_, start_);
  std::string more(size + length_, '\0');
  std::memcpy(more.data() + size, buffer_.data(), length_);
  start_ -= size;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(file_.get(), more.data() + done, size - done, static_cast<off_t>(start_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error(kStep);
    if (got == 0) return base::system_error(kStep, "the file became shorter while it was read", EIO);
    done += static_cast<std::size_t>(got);
  }
  buffer_ = std::move(more);
  length_ += size;
  block_ = std::min(block_ * 2, kLargestBlock);
  return {};
}

base::Result<std::optional<std::string_view>> ReverseReader::next() {
  if (done_) return std::nullopt;
  std::size_t unsearched = length_;  // there may be a newline among so many bytes, counted from the buffer's begin
  for (;;) {
    const std::string_view rest = std::string_view(buffer_).substr(0, length_);
    const std::size_t newline = unsearched == 0 ? std::string_view::npos : rest.rfind('\n', unsearched - 1);
    if (newline != std::string_view::npos) {
      length_ = newline;
      return rest.substr(newline + 1);
    }
    if (start_ == 0) {
      done_ = true;
      return rest;
    }
    const std::size_t before = length_;
    if (const auto extended = extend(); !extended) return std::unexpected(extended.error());
    unsearched = length_ - before;
  }
}

}  // namespace outrigger::ledger
