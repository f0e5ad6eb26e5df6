#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/image_tree.h"
#include "sys/small_file.h"

namespace outrigger::runtime {
namespace {

namespace fs = std::filesystem;

struct ImageFile {
  const char* path;
  std::string_view content;
};

// Ids as the jail maps them. What belongs to the host's root is seen as 65534 in there: only two ids exist.
constexpr std::array kFiles{
    ImageFile{"etc/passwd",
              "root:x:0:0:root:/:/usr/sbin/nologin\n"
              "init:x:999:999:the jail's init:/:/usr/sbin/nologin\n"
              "sandbox:x:1000:1000:the guest:/tmp/home:/bin/bash\n"
              "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"},
    ImageFile{"etc/group", "root:x:0:\ninit:x:999:\nsandbox:x:1000:\nnogroup:x:65534:\n"},
    ImageFile{"etc/hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n"},
    ImageFile{"etc/hostname", "sandbox\n"},
    ImageFile{"etc/resolv.conf", ""},
    ImageFile{"etc/machine-id", ""},
    ImageFile{"etc/timezone", "Etc/UTC\n"},
    ImageFile{"etc/nsswitch.conf",
              "passwd: files\ngroup: files\nhosts: files\nnetworks: files\nprotocols: files\nservices: files\n"
              "rpc: files\nethers: files\n"},
};

// The old entry goes first: it may be a symbolic link, and writing through one would leave the tree.
base::Status write_file(const fs::path& path, std::string_view content) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return base::system_error("unlink", path.string());
  const auto fd = sys::open_at(AT_FDCWD, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0644);
  if (!fd) return std::unexpected(fd.error());
  if (::fchmod(fd->get(), 0644) != 0) return base::system_error("chmod", path.string());
  const ssize_t written = ::write(fd->get(), content.data(), content.size());
  if (written != static_cast<ssize_t>(content.size())) return base::system_error("write", path.string());
  return {};
}

base::Status make_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0755) == 0) {
    if (::chmod(path.c_str(), 0755) != 0) return base::system_error("chmod", path.string());
    return {};
  }
  struct stat status{};
  if (errno != EEXIST || ::lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return base::system_error("make_directory", path.string(), EEXIST);
  }
  return {};
}

}  // namespace

base::Status write_image_files(const fs::path& root) {
  for (const char* name : {"etc", "proc", "dev", "tmp"}) {
    if (const auto made = make_directory(root / name); !made) return made;
  }
  for (const ImageFile& file : kFiles) {
    if (const auto written = write_file(root / file.path, file.content); !written) return written;
  }
  const fs::path localtime = root / "etc/localtime";
  if (::unlink(localtime.c_str()) != 0 && errno != ENOENT) return base::system_error("unlink", localtime.string());
  if (::symlink("/usr/share/zoneinfo/Etc/UTC", localtime.c_str()) != 0) {
    return base::system_error("symlink", localtime.string());
  }
  return {};
}

}  // namespace outrigger::runtime
