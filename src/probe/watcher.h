#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace outrigger::probe {

// Which names' coming and going is told of a directory.
struct NameEvents {
  bool created = true;   // made in it: what is in a new file may not be there yet
  bool moved_in = true;  // renamed into it, as files written elsewhere are put into place
  bool removed = true;   // deleted or moved away
};

// What the kernel has told.
struct Event {
  enum class Kind {
    kCreated,
    kMovedIn,
    kRemoved,
    kChanged,     // a watched file has other content now
    kWatchEnded,  // the watched directory or file is gone, and the watch with it
  };
  int watch = -1;  // as watch_directory() or watch_file() gave it; never reused soon
  Kind kind = Kind::kChanged;
  std::string_view name;  // of the directory's entry, else empty; valid during the call
};

struct Drained {
  std::size_t events = 0;
  // The kernel's queue (fs.inotify.max_queued_events) was full and events are lost: look at everything again.
  bool overflowed = false;
};

// Waking up when something changes: one inotify(7) instance. In cgroupfs the kernel tells of groups made and removed,
// and of changed content only for memory.events, memory.events.local, pids.events and cgroup.events of v2 (kernel:
// cgroup-v2.rst). There kWatchEnded does not come, neither for a directory nor for a file: who knows a group to have
// ended takes back what was watched of it. For one thread.
class Wakeups {
 public:
  // Errors: kExhausted, with the name of the sysctl that limits them.
  static base::Result<Wakeups> open();

  // For poll(2): readable when there is something to drain().
  [[nodiscard]] int fd() const { return inotify_.get(); }

  // A path may be /proc/self/fd/N. Errors: kExhausted where a user has as many watches as fs.inotify.max_user_watches
  // allows (poll instead), kConflict where it is watched already, kNotFound, kSystem.
  base::Result<int> watch_directory(const std::string& path, NameEvents which = {});
  base::Result<int> watch_file(const std::string& path);
  // One that has ended is no error. Events it has left in the queue may still come.
  void unwatch(int watch);

  // Gives all that is in the queue, at most kMostAtOnce bytes of it. Error: kSystem.
  base::Result<Drained> drain(const std::function<void(const Event&)>& tell);

  static constexpr std::size_t kMostAtOnce = 1024UL * 1024;

 private:
  explicit Wakeups(base::UniqueFd inotify) : inotify_(std::move(inotify)) {}
  base::Result<int> watch(const std::string& path, unsigned mask);
  base::UniqueFd inotify_;
};

}  // namespace outrigger::probe
