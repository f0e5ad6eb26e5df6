#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

// Small-file access relative to a directory descriptor. EINTR is handled here and nowhere above.
namespace outrigger::sys {

inline constexpr std::size_t kSmallFile = 64 * 1024;

// Opens with O_CLOEXEC added. dir_fd may be AT_FDCWD.
base::Result<base::UniqueFd> open_at(int dir_fd, const char* path, int flags, unsigned mode = 0);

// The whole of a small file (at most kSmallFile bytes; larger is an error), read in one go as procfs and cgroupfs want.
base::Result<std::string> read_file_at(int dir_fd, const char* path);

// One write(2) of the whole text, as control files want; a short write is an error.
base::Status write_file_at(int dir_fd, const char* path, std::string_view text);

// Makes `name` appear at once with its whole content: a temporary file beside it, then renameat(2). Not synced.
base::Status replace_file_at(int dir_fd, const char* name, std::string_view content, unsigned mode);

// The same, and when it returns the file and its name are on the disk. It is `group`'s and has exactly `mode`, whatever
// the umask.
base::Status replace_file_durably_at(int dir_fd, const char* name, std::string_view content, unsigned mode,
                                     gid_t group);

}  // namespace outrigger::sys
