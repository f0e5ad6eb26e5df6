#include "sys/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <string_view>

#include "sys/small_file.h"

namespace outrigger::sys {
namespace {

constexpr std::string_view kStep = "list_directory";

bool is_of_type(int dir_fd, const dirent& entry, unsigned char type) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == type;
  struct stat about{};
  return ::fstatat(dir_fd, entry.d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && IFTODT(about.st_mode) == type;
}

bool is_itself_or_parent(std::string_view name) { return name == "." || name == ".."; }

}  // namespace

base::Result<std::vector<std::string>> names_in(int dir_fd, EntryType type) {
  // A descriptor of its own: a listing moves the offset.
  auto again = open_at(dir_fd, ".", O_RDONLY | O_DIRECTORY);
  if (!again) return std::unexpected(again.error());
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(again->get()), ::closedir);
  if (!listing) return base::system_error(kStep);
  static_cast<void>(again->release());
  const unsigned char wanted = type == EntryType::kFile ? DT_REG : DT_DIR;
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): one stream, one thread
    if (!is_itself_or_parent(entry->d_name) && is_of_type(dir_fd, *entry, wanted)) names.emplace_back(entry->d_name);
    errno = 0;
  }
  if (errno != 0) return base::system_error(kStep);
  return names;
}

}  // namespace outrigger::sys
