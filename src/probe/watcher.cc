#include "probe/watcher.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <optional>

namespace outrigger::probe {
namespace {

constexpr std::string_view kStep = "watch";

std::optional<Event::Kind> kind_of(unsigned mask) {
  if ((mask & IN_IGNORED) != 0) return Event::Kind::kWatchEnded;
  if ((mask & IN_CREATE) != 0) return Event::Kind::kCreated;
  if ((mask & IN_MOVED_TO) != 0) return Event::Kind::kMovedIn;
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return Event::Kind::kRemoved;
  if ((mask & IN_MODIFY) != 0) return Event::Kind::kChanged;
  return std::nullopt;
}

// The name is padded with zeros.
std::string_view name_of(const inotify_event& event) {
  const std::string_view padded(event.name, event.len);
  return padded.substr(0, padded.find('\0'));
}

void tell_all(const char* begin, std::size_t size, const std::function<void(const Event&)>& tell, Drained& drained) {
  for (std::size_t at = 0; at + sizeof(inotify_event) <= size;) {
    const auto& event = *reinterpret_cast<const inotify_event*>(begin + at);
    at += sizeof event + event.len;
    ++drained.events;
    if ((event.mask & IN_Q_OVERFLOW) != 0) drained.overflowed = true;
    if (const auto kind = kind_of(event.mask)) tell({event.wd, *kind, name_of(event)});
  }
}

std::unexpected<base::Error> exhausted(std::string_view sysctl, const std::string& path, int error) {
  const std::string context = path + (path.empty() ? "" : ": ") + "no more than " + std::string(sysctl) + " allows";
  return std::unexpected(base::Error{std::string(kStep), base::Code::kExhausted, error, context});
}

}  // namespace

base::Result<Wakeups> Wakeups::open() {
  base::UniqueFd inotify(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (inotify) return Wakeups(std::move(inotify));
  if (errno == EMFILE) return exhausted("fs.inotify.max_user_instances (or RLIMIT_NOFILE)", {}, errno);
  return base::system_error(kStep, "inotify");
}

base::Result<int> Wakeups::watch_directory(const std::string& path, NameEvents which) {
  unsigned mask = IN_ONLYDIR;
  if (which.created) mask |= IN_CREATE;
  if (which.moved_in) mask |= IN_MOVED_TO;
  if (which.removed) mask |= IN_DELETE | IN_MOVED_FROM;
  return watch(path, mask);
}

base::Result<int> Wakeups::watch_file(const std::string& path) { return watch(path, IN_MODIFY); }

base::Result<int> Wakeups::watch(const std::string& path, unsigned mask) {
  const int watch = ::inotify_add_watch(inotify_.get(), path.c_str(), mask | IN_MASK_CREATE);
  if (watch >= 0) return watch;
  const int error = errno;
  const auto failed = [&](base::Code code) {
    return std::unexpected(base::Error{std::string(kStep), code, error, path});
  };
  switch (error) {
    case ENOSPC: return exhausted("fs.inotify.max_user_watches", path, error);
    case EEXIST: return failed(base::Code::kConflict);
    case ENOENT:
    case ENODEV:
    case ENOTDIR: return failed(base::Code::kNotFound);
    default: return failed(base::Code::kSystem);
  }
}

void Wakeups::unwatch(int watch) { (void)::inotify_rm_watch(inotify_.get(), watch); }

base::Result<Drained> Wakeups::drain(const std::function<void(const Event&)>& tell) {
  alignas(inotify_event) char buffer[64UL * 1024];
  Drained drained;
  for (std::size_t bytes = 0; bytes < kMostAtOnce;) {
    const ssize_t got = ::read(inotify_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got < 0) return base::system_error(kStep, "inotify");
    tell_all(buffer, static_cast<std::size_t>(got), tell, drained);
    bytes += static_cast<std::size_t>(got);
  }
  return drained;
}

}  // namespace outrigger::probe
