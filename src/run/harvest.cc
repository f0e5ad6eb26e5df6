#include "run/harvest.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/utf8.h"

namespace outrigger::run {
namespace {

using model::Cause;

// What the patterns may cost all in all: a twentieth of a second, hundreds of times what any ordinary ones cost.
constexpr std::size_t kCompareBudget = 1U << 24;
constexpr std::size_t kMaxErrors = 256;

Cause unreadable() { return {"unreadable", "could not be opened or read"}; }
Cause too_deep() {
  return {"too_deep",
          "lies more than " + std::to_string(jail::kMaxDepth) + " directories deep; nothing below it is collected"};
}
Cause path_too_long() {
  return {"name_too_long",
          "holds a name whose path is longer than " + std::to_string(jail::kMaxPathBytes - 1) + " bytes"};
}
Cause too_many_entries() {
  return {"too_many",
          "the working directory holds more than " + std::to_string(jail::kMaxEntries) +
              " files and directories, or the patterns take too long to compare; what was seen was collected"};
}
Cause jail_lost() { return {"jail_lost", "the jail ended before it had shown all of its files"}; }

// Of what has no content, but may be wanted.
Cause reason(jail::EntryKind kind) {
  switch (kind) {
    case jail::EntryKind::kHardLink:
      return {"hard_link", "has more than one name (link(2)); only files with one are collected"};
    case jail::EntryKind::kSymlink: return {"symlink", "is a symbolic link; none is followed"};
    case jail::EntryKind::kSpecial: return {"special_file", "is a FIFO, a socket or a device"};
    default: return unreadable();
  }
}

// What is read until there is no more, at most `size` bytes. False where the kernel refuses.
bool read_content(int descriptor, std::uint64_t size, std::string& content) {
  content.resize(size);
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t got = ::pread(descriptor, content.data() + filled, size - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  content.resize(filled);
  return true;
}

bool lies_below(std::string_view path, std::string_view directory) {
  return path.size() > directory.size() && path.starts_with(directory) && path[directory.size()] == '/';
}

}  // namespace

Harvest::Harvest(std::span<const std::string> patterns, model::CollectCaps caps)
    : globs_(patterns.begin(), patterns.end()), told_(patterns.size()), caps_(caps), budget_(kCompareBudget) {}

void Harvest::take(const jail::FoundEntry& entry, int descriptor) {
  const std::string_view path(entry.path, std::min<std::size_t>(entry.path_bytes, jail::kMaxPathBytes));
  switch (entry.kind) {
    case jail::EntryKind::kFile:
      if (is_wanted(path)) take_file(path, entry.size, descriptor);
      return;
    case jail::EntryKind::kDirectory:
      for (std::size_t i = 0; i < globs_.size(); ++i) {
        if (globs_[i].text() != path || told_[i]) continue;
        told_[i] = true;
        add_error(path, std::nullopt, {"directory", "is a directory; ask for what is in it"});
      }
      return;
    case jail::EntryKind::kTooMany: cut_ = true; return;
    case jail::EntryKind::kTooDeep: return blame_below(path, too_deep());
    case jail::EntryKind::kPathTooLong: return blame_below(path, path_too_long());
    case jail::EntryKind::kUnreadable:
      if (path.empty()) {
        nothing_there_ = true;
        return;
      }
      [[fallthrough]];
    case jail::EntryKind::kHardLink:
    case jail::EntryKind::kSymlink:
    case jail::EntryKind::kSpecial:
      if (is_wanted(path)) return add_error(path, std::nullopt, reason(entry.kind));
      if (entry.kind == jail::EntryKind::kUnreadable || entry.kind == jail::EntryKind::kSymlink) {
        blame_below(path, reason(entry.kind));
      }
      return;
  }
}

bool Harvest::is_wanted(std::string_view path) {
  bool wanted = false;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    const bool named = globs_[i].is_literal() ? globs_[i].text() == path : !wanted && globs_[i].matches(path, budget_);
    if (!named) continue;
    wanted = true;
    told_[i] = true;
  }
  return wanted;
}

void Harvest::take_file(std::string_view path, std::uint64_t size, int descriptor) {
  if (!base::is_utf8(path)) {
    return add_error(path, size, {"name_not_utf8", "its name is not UTF-8; what is not is shown as U+FFFD"});
  }
  // sandbox_init has looked at all this too.
  struct stat status{};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return add_error(path, std::nullopt, unreadable());
  }
  size = static_cast<std::uint64_t>(status.st_size);
  if (files_read_ >= caps_.files) {
    return add_error(path, size, {"too_many", "more than " + std::to_string(caps_.files) + " files were asked for"});
  }
  if (size > caps_.bytes - bytes_read_) {
    return add_error(path, size,
                     {"too_large", "all collected files together may have " + std::to_string(caps_.bytes) + " bytes; " +
                                       std::to_string(bytes_read_) + " are used"});
  }
  model::CollectedFile file;
  file.path = path;
  file.mode = status.st_mode & 0777U;
  if (!read_content(descriptor, size, file.content)) return add_error(path, size, unreadable());
  file.bytes = file.content.size();
  ++files_read_;
  bytes_read_ += file.content.size();
  files_.push_back(std::move(file));
}

// Something is the matter with a directory: patterns that may mean what is in it have not been looked for there. One
// that names a single file is answered by its own name.
void Harvest::blame_below(std::string_view directory, const Cause& error) {
  bool reached = false;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    if (!globs_[i].is_literal()) {
      reached = reached || globs_[i].reaches_below(directory, budget_);
    } else if (lies_below(globs_[i].text(), directory) && !told_[i]) {
      told_[i] = true;
      add_error(globs_[i].text(), std::nullopt, {error.code, base::to_utf8(directory) + ": " + error.text});
    }
  }
  const auto is_told = [&](const model::CollectedFile& file) {
    return file.error && file.error->code == error.code && file.path == base::to_utf8(directory);
  };
  // A link is no directory of the job's, so nothing is missing below it.
  if (reached && error.code != "symlink" && std::ranges::none_of(files_, is_told)) {
    add_error(directory, std::nullopt, error);
  }
}

void Harvest::add_error(std::string_view path, std::optional<std::uint64_t> size, const Cause& error) {
  if (files_.size() - files_read_ >= kMaxErrors) {
    ++errors_left_out_;
    return;
  }
  files_.push_back({base::to_utf8(path), {}, 0, size, error});
}

std::vector<model::CollectedFile> Harvest::finish(bool whole) {
  const bool cut = cut_ || budget_ == 0;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    const bool literal = globs_[i].is_literal();
    if (literal && told_[i]) continue;
    if (nothing_there_) {
      add_error(globs_[i].text(), std::nullopt, unreadable());
    } else if (!whole) {
      add_error(globs_[i].text(), std::nullopt, jail_lost());
    } else if (cut) {
      add_error(globs_[i].text(), std::nullopt, too_many_entries());
    } else if (literal) {
      add_error(globs_[i].text(), std::nullopt, {"not_found", "there is no such file in the working directory"});
    }
  }
  std::ranges::sort(files_, {}, &model::CollectedFile::path);
  if (errors_left_out_ > 0) {
    files_.push_back(
        {{},
         {},
         0,
         std::nullopt,
         Cause{"too_many", std::to_string(errors_left_out_) + " more could not be collected and are not listed"}});
  }
  return std::move(files_);
}

}  // namespace outrigger::run
