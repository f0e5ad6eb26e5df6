#include "roster/test_groups.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>

#include "sys/cgroup.h"
#include "sys/small_file.h"

namespace outrigger::roster {
namespace {

std::string new_name() {
  static std::atomic<int> count = 0;
  return "/nest-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

}  // namespace

// On v1 below each mount point, at the same place: a card names one directory, and the others are found by it, though
// this process may stand elsewhere in each hierarchy.
TestGroups::TestGroups() : places_(probe::own_places()) {
  const std::string name = new_name();
  const auto found = sys::discover_hierarchies();
  for (const sys::Controller controller : sys::kControllers) {
    std::string& root = places_.roots.at(static_cast<std::size_t>(controller));
    if (places_.version == sys::CgroupVersion::kV1) {
      root = found->find_v1(sys::controller_name(controller))->mount_point;
    }
    root += name;
    if (::mkdir(root.c_str(), 0755) != 0 && errno != EEXIST) throw std::runtime_error("mkdir " + root);
    if (places_.version == sys::CgroupVersion::kV1) continue;
    const std::string file = root + "/cgroup.subtree_control";
    if (!sys::write_file_at(AT_FDCWD, file.c_str(), "+memory +cpu +pids")) throw std::runtime_error(file);
    break;
  }
}

TestGroups::~TestGroups() {
  for (const std::string& root : places_.roots) {
    if (!root.empty()) ::rmdir(root.c_str());
  }
}

}  // namespace outrigger::roster
