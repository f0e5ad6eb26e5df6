#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "init.h"

// The names are the guest's, so none is ever followed: each part is opened relative to its directory's descriptor,
// links are not followed, and nothing is opened that would wait or do something when it is. Everything is bounded; what
// lies beyond a bound is told as such.
namespace outrigger::guest {
namespace {

using jail::EntryKind;

constexpr int kOpenFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr size_t kBufferBytes = 2048;  // several of the longest entries

// As the kernel writes it (getdents64(2)); musl's dirent has the same form.
using Entry = struct dirent;

// A directory on the way from kWorkDir to where the walk is.
struct Level {
  int fd;
  unsigned path_bytes;  // of its own path, with the slash behind it
  unsigned at;          // in the buffer
  unsigned filled;
  alignas(Entry) char buffer[kBufferBytes];
};

// Too large for a stack.
Level levels[jail::kMaxDepth];

class Walk {
 public:
  void run() {
    const int work = open_work_dir();
    if (work < 0) return tell(EntryKind::kUnreadable, 0);
    enter(work, 0);
    while (depth_ > 0 && told_ < jail::kMaxEntries) step();
    if (depth_ > 0) tell(EntryKind::kTooMany, 0);
  }

 private:
  // /tmp is a mount of ours. What is named work in it may have become anything.
  static int open_work_dir() {
    const int tmp = ::open("/tmp", kOpenFlags | O_DIRECTORY);
    const int work = tmp < 0 ? -1 : ::openat(tmp, ::strrchr(jail::kWorkDir, '/') + 1, kOpenFlags | O_DIRECTORY);
    ::close(tmp);
    return work;
  }

  // One entry of the deepest directory, or the way back from it.
  void step() {
    Level& level = levels[depth_ - 1];
    if (level.at >= level.filled) {
      const long got = ::syscall(SYS_getdents64, level.fd, level.buffer, sizeof level.buffer);
      if (got <= 0) {
        if (got < 0) tell(EntryKind::kUnreadable, level.path_bytes > 0 ? level.path_bytes - 1 : 0);
        ::close(level.fd);
        --depth_;
        return;
      }
      level.at = 0;
      level.filled = static_cast<unsigned>(got);
    }
    const auto* entry = reinterpret_cast<const Entry*>(level.buffer + level.at);
    level.at += entry->d_reclen;
    if (::strcmp(entry->d_name, ".") != 0 && ::strcmp(entry->d_name, "..") != 0) look_at(level, entry->d_name);
  }

  void look_at(const Level& level, const char* name) {
    const size_t length = ::strlen(name);
    if (level.path_bytes + length >= sizeof found_.path) {
      return tell(EntryKind::kPathTooLong, level.path_bytes > 0 ? level.path_bytes - 1 : 0);
    }
    ::memcpy(found_.path + level.path_bytes, name, length);
    const unsigned path_bytes = level.path_bytes + static_cast<unsigned>(length);
    struct stat status{};
    if (::fstatat(level.fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return tell(EntryKind::kUnreadable, path_bytes);
    found_.size = static_cast<uint64_t>(status.st_size);
    if (S_ISDIR(status.st_mode)) return look_into(level.fd, name, path_bytes);
    if (S_ISLNK(status.st_mode)) return tell(EntryKind::kSymlink, path_bytes);
    if (!S_ISREG(status.st_mode)) return tell(EntryKind::kSpecial, path_bytes);
    if (status.st_nlink != 1) return tell(EntryKind::kHardLink, path_bytes);
    const int fd = ::openat(level.fd, name, kOpenFlags);
    tell(fd < 0 ? EntryKind::kUnreadable : EntryKind::kFile, path_bytes, fd);
    ::close(fd);
  }

  void look_into(int parent, const char* name, unsigned path_bytes) {
    if (depth_ == jail::kMaxDepth) return tell(EntryKind::kTooDeep, path_bytes);
    const int fd = ::openat(parent, name, kOpenFlags | O_DIRECTORY);
    if (fd < 0) return tell(EntryKind::kUnreadable, path_bytes);
    tell(EntryKind::kDirectory, path_bytes);
    found_.path[path_bytes] = '/';
    enter(fd, path_bytes + 1);
  }

  void enter(int fd, unsigned path_bytes) {
    Level& level = levels[depth_++];
    level.fd = fd;
    level.path_bytes = path_bytes;
    level.at = level.filled = 0;
  }

  void tell(EntryKind kind, unsigned path_bytes, int fd = -1) {
    found_.kind = kind;
    found_.path_bytes = path_bytes;
    send_message(&found_, sizeof found_, fd);
    ++told_;
  }

  jail::FoundEntry found_;  // its path is that of the deepest directory, and behind it a name
  unsigned depth_ = 0;
  unsigned told_ = 0;
};

}  // namespace

void tell_files() { Walk().run(); }

}  // namespace outrigger::guest
