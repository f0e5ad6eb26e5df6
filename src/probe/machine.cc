#include "probe/machine.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "probe/parse.h"
#include "probe/parse_proc.h"
#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

Absence absence_of(const base::Error& error) {
  const bool denied = error.errno_value == EACCES || error.errno_value == EPERM;
  return denied ? Absence::kDenied : Absence::kNoFile;
}

Figure key_of(const std::string& file, std::string_view key) {
  const auto text = sys::read_file_at(AT_FDCWD, file.c_str());
  return text ? parse_key(*text, key) : Figure(absence_of(text.error()));
}

bool is_group(const std::string& directory) { return ::access((directory + "/cgroup.procs").c_str(), F_OK) == 0; }

// The root of all groups has no such file, and no ceiling of its own. Anywhere else a number that is missing makes the
// sum say less than it seems to.
Figure local_ooms(std::string directory) {
  Figure sum = key_of(directory + "/memory.events.local", "oom");
  while (sum) {
    directory.erase(directory.rfind('/'));
    if (directory.empty() || !is_group(directory)) break;
    const Figure here = key_of(directory + "/memory.events.local", "oom");
    const bool at_the_top = !here && here.absence() == Absence::kNoFile;
    if (at_the_top) break;
    sum = here ? Figure(*sum + *here) : here;
  }
  return sum;
}

}  // namespace

Figure memory_total_bytes() {
  const auto text = sys::read_file_at(AT_FDCWD, "/proc/meminfo");
  return text ? parse_meminfo(*text, "MemTotal") : Figure(absence_of(text.error()));
}

Figure ancestor_ooms(const Places& places) {
  if (places.version != sys::CgroupVersion::kV2) return Absence::kNoFile;
  return local_ooms(places.root(sys::Controller::kMemory));
}

Figure host_oom_kills() { return key_of("/proc/vmstat", "oom_kill"); }

}  // namespace outrigger::probe
