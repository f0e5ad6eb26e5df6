#include "audit/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

#include "audit/record_format.h"
#include "base/log.h"
#include "sys/directory.h"
#include "sys/small_file.h"

namespace outrigger::audit {
namespace {

constexpr std::string_view kStep = "audit_spool";
constexpr std::string_view kSuffix = ".log";
constexpr std::size_t kDigits = 16;
constexpr unsigned kMode = 0640;

std::string name_of(std::uint64_t segment) {
  std::array<char, kDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(segment));
  return std::string(digits.data()) + std::string(kSuffix);
}

std::optional<std::uint64_t> number_of(std::string_view name) {
  if (name.size() != kDigits + kSuffix.size() || !name.ends_with(kSuffix)) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, ec] = std::from_chars(name.data(), name.data() + kDigits, number, 16);
  if (ec != std::errc{} || end != name.data() + kDigits) return std::nullopt;
  return number;
}

// As many bytes as there are, at most `size`.
base::Result<std::string> read_at(int fd, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error(kStep, "read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

base::Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return base::system_error(kStep, "write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// Torn when the machine stopped in the middle of a write, or damaged.
void say_unreadable(std::uint64_t segment, std::uint64_t offset, std::uint64_t lost) {
  base::log(base::Level::kError, "audit_spool_unreadable",
            {{"file", name_of(segment)}, {"offset", std::to_string(offset)}, {"bytes_lost", std::to_string(lost)}});
}

}  // namespace

base::Status Journal::find_segments() {
  const auto files = sys::names_in(dir_, sys::EntryType::kFile);
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const auto number = number_of(file);
    struct stat info{};
    if (!number || ::fstatat(dir_, file.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    segments_.push_back({*number, static_cast<std::uint64_t>(info.st_size)});
    bytes_ += static_cast<std::uint64_t>(info.st_size);
  }
  std::ranges::sort(segments_, {}, &Segment::number);
  return {};
}

base::Status Journal::open() {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = find_segments(); !found) return found;
  }
  return open_next();
}

Position Journal::begin() const {
  const std::lock_guard lock(mutex_);
  return {segments_.empty() ? 0 : segments_.front().number, 0};
}

Position Journal::end() const {
  const std::lock_guard lock(mutex_);
  if (segments_.empty()) return {};
  return {segments_.back().number, segments_.back().size};
}

std::uint64_t Journal::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

bool Journal::segment_full() const {
  const std::lock_guard lock(mutex_);
  return segments_.back().size >= options_.segment_bytes;
}

base::Status Journal::open_next() {
  const std::uint64_t number = end().segment + 1;
  const std::string name = name_of(number);
  auto file = sys::open_at(dir_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, kMode);
  if (!file) return base::system_error(kStep, name, file.error().errno_value);
  const std::lock_guard lock(mutex_);
  if (file_) retired_.push_back(std::move(file_));
  file_ = std::move(*file);
  segments_.push_back({number, 0});
  return {};
}

base::Status Journal::append(const Record& record) {
  const std::string bytes = encode_record(record);
  if (bytes.size() > kMaxRecord) return base::failure(base::Code::kTooLarge, kStep, record.job_id);
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes.size() > options_.max_bytes) {
    return base::failure(base::Code::kExhausted, kStep, "the spool is as large as it may be");
  }
  Segment& last = segments_.back();
  if (const auto written = write_all(file_.get(), bytes); !written) {
    // What stands of it would make everything after it unreadable.
    static_cast<void>(::ftruncate(file_.get(), static_cast<off_t>(last.size)));
    return written;
  }
  last.size += bytes.size();
  bytes_ += bytes.size();
  return {};
}

std::optional<Journal::Segment> Journal::segment_at_or_after(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::lower_bound(segments_, number, {}, &Segment::number);
  if (found == segments_.end()) return std::nullopt;
  return *found;
}

base::Result<ReadBatch> Journal::read(Position from, std::size_t max_bytes) const {
  ReadBatch batch{{}, from};
  std::size_t taken = 0;
  while (taken < max_bytes) {
    const auto segment = segment_at_or_after(batch.next.segment);
    if (!segment) break;
    if (segment->number != batch.next.segment) batch.next = {segment->number, 0};
    if (batch.next.offset >= segment->size) {
      if (segment->number == end().segment) break;
      batch.next = {segment->number + 1, 0};
      continue;
    }
    const auto read = read_segment(*segment, max_bytes - taken, batch);
    if (!read) return std::unexpected(read.error());
    taken += *read;
  }
  return batch;
}

base::Result<std::size_t> Journal::read_segment(const Segment& segment, std::size_t max_bytes, ReadBatch& batch) const {
  const auto file = sys::open_at(dir_, name_of(segment.number).c_str(), O_RDONLY | O_NOFOLLOW);
  if (!file) return std::unexpected(file.error());
  const std::size_t left = segment.size - batch.next.offset;
  const auto bytes = read_at(file->get(), batch.next.offset, std::min(left, max_bytes + kMaxRecord));
  if (!bytes) return std::unexpected(bytes.error());
  std::size_t taken = 0;
  while (taken < max_bytes) {
    auto decoded = decode_record(std::string_view(*bytes).substr(taken));
    if (!decoded) break;
    taken += decoded->size;
    batch.records.push_back(std::move(decoded->record));
  }
  batch.next.offset += taken;
  if (taken > 0) return taken;
  say_unreadable(segment.number, batch.next.offset, left);
  batch.next.offset = segment.size;
  return left;
}

base::Status Journal::sync() {
  std::vector<base::UniqueFd> files;
  {
    const std::lock_guard lock(mutex_);
    files = std::exchange(retired_, {});
    files.emplace_back(::fcntl(file_.get(), F_DUPFD_CLOEXEC, 3));
  }
  for (const base::UniqueFd& file : files) {
    if (!file || ::fdatasync(file.get()) != 0) return base::system_error(kStep, "sync");
  }
  // Else a new file could be missing after a crash, whatever had been synced into it.
  if (files.size() > 1 && ::fsync(dir_) != 0) return base::system_error(kStep, "sync");
  return {};
}

void Journal::remove_before(Position place) {
  const std::lock_guard lock(mutex_);
  while (segments_.size() > 1 && segments_.front().number < place.segment) {
    ::unlinkat(dir_, name_of(segments_.front().number).c_str(), 0);
    bytes_ -= segments_.front().size;
    segments_.pop_front();
  }
}

}  // namespace outrigger::audit
