#include "sys/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace outrigger::sys {

base::Result<base::UniqueFd> open_at(int dir_fd, const char* path, int flags, unsigned mode) {
  int fd = -1;
  do {
    fd = ::openat(dir_fd, path, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return base::system_error("open", path);
  return base::UniqueFd(fd);
}

base::Result<std::string> read_file_at(int dir_fd, const char* path) {
  auto fd = open_at(dir_fd, path, O_RDONLY);
  if (!fd) return std::unexpected(fd.error());
  std::string content;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(fd->get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error("read", path);
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > kSmallFile) return base::failure(base::Code::kTooLarge, "read", path);
  }
}

base::Status write_file_at(int dir_fd, const char* path, std::string_view text) {
  auto fd = open_at(dir_fd, path, O_WRONLY);
  if (!fd) return std::unexpected(fd.error());
  ssize_t written = -1;
  do {
    written = ::write(fd->get(), text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) return base::system_error("write", path);
  if (static_cast<std::size_t>(written) != text.size()) return base::system_error("write", path, EIO);
  return {};
}

namespace {

std::string temporary_beside(const char* name) { return std::string(".") + name + ".new"; }

base::Result<base::UniqueFd> write_temporary(int dir_fd, const std::string& temporary, std::string_view content,
                                             unsigned mode) {
  auto fd = open_at(dir_fd, temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode);
  if (!fd) return fd;
  while (!content.empty()) {
    const ssize_t written = ::write(fd->get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return base::system_error("write", temporary);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return fd;
}

}  // namespace

base::Status replace_file_at(int dir_fd, const char* name, std::string_view content, unsigned mode) {
  const std::string temporary = temporary_beside(name);
  if (const auto fd = write_temporary(dir_fd, temporary, content, mode); !fd) return std::unexpected(fd.error());
  if (::renameat(dir_fd, temporary.c_str(), dir_fd, name) != 0) return base::system_error("rename", name);
  return {};
}

base::Status replace_file_durably_at(int dir_fd, const char* name, std::string_view content, unsigned mode,
                                     gid_t group) {
  const std::string temporary = temporary_beside(name);
  const auto fd = write_temporary(dir_fd, temporary, content, mode);
  if (!fd) return std::unexpected(fd.error());
  if (::fchown(fd->get(), static_cast<uid_t>(-1), group) != 0) return base::system_error("chown", temporary);
  if (::fchmod(fd->get(), mode) != 0) return base::system_error("chmod", temporary);
  if (::fsync(fd->get()) != 0) return base::system_error("fsync", temporary);
  if (::renameat(dir_fd, temporary.c_str(), dir_fd, name) != 0) return base::system_error("rename", name);
  if (::fsync(dir_fd) != 0) return base::system_error("fsync", ".");
  return {};
}

}  // namespace outrigger::sys
