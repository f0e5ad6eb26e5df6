#pragma once

#include <array>
#include <expected>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "probe/parse.h"
#include "probe/places.h"
#include "probe/reading.h"

namespace outrigger::probe {

// The content of one file, or why there is none. Valid until the next file is read.
using FileText = std::expected<std::string_view, Absence>;

// The files of one group during one reading, read one after another into one buffer without an allocation.
class GroupFiles {
 public:
  // Both outlive it. `name` has at most NAME_MAX bytes: it named a directory.
  GroupFiles(const OpenPlaces& places, std::string_view name) : places_(places), name_(name) {}

  [[nodiscard]] bool v2() const { return places_.version() == sys::CgroupVersion::kV2; }
  // By name: open, read, close.
  FileText named(sys::Controller controller, const char* file);
  // From the beginning of a file that was kept open.
  FileText kept(int fd);

  // A file's group was removed while it was read (ENODEV).
  [[nodiscard]] bool seen_removed() const { return removed_; }
  // The kernel could not read a file for reasons that say nothing of the group.
  [[nodiscard]] const std::optional<base::Error>& failure() const { return failure_; }

  // Enough for every file there is; memory.stat, the longest, is about 2 KiB.
  static constexpr std::size_t kBuffer = 8192;
  // A group's name, a slash and a file's name.
  using Path = std::array<char, 400>;
  static const char* path_of(std::string_view name, std::string_view file, Path& path);

 private:
  FileText read(int fd, const char* what);
  std::unexpected<Absence> absent(int error, const char* what);

  const OpenPlaces& places_;
  std::string_view name_;
  bool removed_ = false;
  std::optional<base::Error> failure_;
  char buffer_[kBuffer];  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
};

// A file's figure, which is absent where the file is.
template <typename Parse>
Figure figure_of(const FileText& text, Parse parse) {
  return text ? parse(*text) : Figure(text.error());
}
inline Figure number_in(const FileText& text) { return figure_of(text, parse_number); }
inline Figure key_in(const FileText& text, std::string_view key) {
  return figure_of(text, [key](std::string_view content) { return parse_key(content, key); });
}

// The two files of a light reading.
const char* memory_file(sys::CgroupVersion version);
const char* cpu_file(sys::CgroupVersion version);
sys::Controller cpu_file_controller();
Figure cpu_usage_in(const FileText& text, sys::CgroupVersion version);

// Everything but what a light reading reads.
void read_counters(GroupFiles& files, Reading& into);
void read_limits(GroupFiles& files, Reading& into);

}  // namespace outrigger::probe
