#include "tenants/token_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "sys/small_file.h"

namespace outrigger::tenants {
namespace {

constexpr std::string_view kStep = "tokens_file";

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec; }

FileState state_of(const struct stat& about) {
  return {about.st_dev, about.st_ino, about.st_size, nanoseconds(about.st_mtim), nanoseconds(about.st_ctim)};
}

base::Result<std::string> read_all(int fd, const std::string& path) {
  std::string text;
  std::array<char, 65536> piece{};
  for (;;) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_error(kStep, path);
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMaxTokenFile) return base::failure(base::Code::kTooLarge, kStep, path + ": larger than 16 MiB");
  }
}

}  // namespace

TokenFile::TokenFile(base::UniqueFd directory, const std::filesystem::path& path)
    : directory_(std::move(directory)), name_(path.filename().string()), path_(path.string()) {}

base::Result<TokenFile> TokenFile::open(const std::filesystem::path& path) {
  auto directory = sys::open_at(AT_FDCWD, path.parent_path().c_str(), O_RDONLY | O_DIRECTORY);
  if (!directory) return base::system_error(kStep, path.parent_path().string(), directory.error().errno_value);
  return TokenFile(std::move(*directory), path);
}

base::Result<std::optional<FileState>> TokenFile::look() const {
  struct stat about{};
  if (::fstatat(directory_.get(), name_.c_str(), &about, 0) == 0) return state_of(about);
  if (errno == ENOENT) return std::nullopt;
  return base::system_error(kStep, path_);
}

base::Result<std::optional<TokenFile::Content>> TokenFile::read() const {
  // O_NONBLOCK: a FIFO in its place must not hold the daemon.
  const auto fd = sys::open_at(directory_.get(), name_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd && fd.error().errno_value == ENOENT) return std::nullopt;
  if (!fd) return base::system_error(kStep, path_, fd.error().errno_value);
  struct stat about{};
  if (::fstat(fd->get(), &about) != 0) return base::system_error(kStep, path_);
  if (!S_ISREG(about.st_mode)) return base::failure(base::Code::kInvalid, kStep, path_ + " is not a regular file");
  if ((about.st_mode & (S_IWGRP | S_IRWXO)) != 0) {
    return base::failure(base::Code::kInvalid, kStep,
                         path_ + " can be read or written by others; give it the mode 0640");
  }
  auto text = read_all(fd->get(), path_);
  if (!text) return std::unexpected(text.error());
  return Content{state_of(about), std::move(*text)};
}

base::Result<TokenList> read_tokens(const std::filesystem::path& path) {
  const auto file = TokenFile::open(path);
  if (!file && file.error().errno_value == ENOENT) return TokenList{};
  if (!file) return std::unexpected(file.error());
  const auto content = file->read();
  if (!content) return std::unexpected(content.error());
  if (!*content) return TokenList{};
  return parse_tokens((*content)->text, path.string());
}

}  // namespace outrigger::tenants
