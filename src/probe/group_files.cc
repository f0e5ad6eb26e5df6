#include "probe/group_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>

namespace outrigger::probe {

const char* GroupFiles::path_of(std::string_view name, std::string_view file, Path& path) {
  assert(name.size() + file.size() + 2 <= path.size());
  char* end = std::ranges::copy(name, path.data()).out;
  *end++ = '/';
  *std::ranges::copy(file, end).out = '\0';
  return path.data();
}

FileText GroupFiles::named(sys::Controller controller, const char* file) {
  Path path;  // NOLINT(cppcoreguidelines-pro-type-member-init): written by path_of
  int fd = -1;
  do {
    fd = ::openat(places_.root(controller), path_of(name_, file, path), O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return absent(errno, file);
  const base::UniqueFd owned(fd);
  return read(fd, file);
}

FileText GroupFiles::kept(int fd) { return read(fd, "a kept file"); }

// One pread(2): a control file is made as a whole when it is read from its beginning, and given as far as it fits.
FileText GroupFiles::read(int fd, const char* what) {
  ssize_t got = -1;
  do {
    got = ::pread(fd, buffer_, sizeof buffer_, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return absent(errno, what);
  std::string_view text(buffer_, static_cast<std::size_t>(got));
  // A number that is cut off is another number.
  if (text.size() == sizeof buffer_) text = text.substr(0, text.rfind('\n') + 1);
  return text;
}

std::unexpected<Absence> GroupFiles::absent(int error, const char* what) {
  switch (error) {
    case ENODEV: removed_ = true; return std::unexpected(Absence::kNoFile);
    case ENOENT:
    case EOPNOTSUPP: return std::unexpected(Absence::kNoFile);  // the latter: pressure files where PSI is off
    case EACCES:
    case EPERM: return std::unexpected(Absence::kDenied);
    default: break;
  }
  const bool exhausted = error == EMFILE || error == ENFILE || error == ENOMEM;
  const std::string context = std::string(name_) + "/" + what;
  failure_ = base::Error{"read_cgroup", exhausted ? base::Code::kExhausted : base::Code::kSystem, error, context};
  return std::unexpected(Absence::kNotRead);
}

}  // namespace outrigger::probe
