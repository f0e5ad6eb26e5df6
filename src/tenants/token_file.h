#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "tenants/token_list.h"

namespace outrigger::tenants {

inline constexpr std::size_t kMaxTokenFile = 16U << 20;
// Of the directory that is made for it. A file that is laid there by hand gets its group, so that the daemon can read
// it.
inline constexpr mode_t kDirectoryMode = 02750;

// Which state of a file something was read from: another file of that name, or another content, is another.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileState&, const FileState&) = default;
};

// The tokens file, reached through its directory's descriptor.
class TokenFile {
 public:
  // Opens the directory alone. Error steps here and below: tokens_file.
  static base::Result<TokenFile> open(const std::filesystem::path& path);
  TokenFile(base::UniqueFd directory, const std::filesystem::path& path);

  // Nothing where there is no such file.
  [[nodiscard]] base::Result<std::optional<FileState>> look() const;

  struct Content {
    FileState state;
    std::string text;
  };
  // Nothing where there is no such file. Refused: what is no regular file, what is larger than kMaxTokenFile, and what
  // others than its owner and group may read or write.
  [[nodiscard]] base::Result<std::optional<Content>> read() const;

  [[nodiscard]] int directory() const { return directory_.get(); }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& path() const { return path_; }  // for messages

 private:
  base::UniqueFd directory_;
  std::string name_;
  std::string path_;
};

// The whole of it by path, as a program reads it once. An absent file is an empty list.
base::Result<TokenList> read_tokens(const std::filesystem::path& path);

}  // namespace outrigger::tenants
