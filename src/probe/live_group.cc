#include "probe/live_group.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "sys/small_file.h"

namespace outrigger::probe {
namespace {

using sys::Controller;

// On v2 a group has the controllers that its parent gives, and a parent that has processes may give none, but for the
// top of the hierarchy.
bool gives_controllers(const std::string& group) {
  std::string given = " " + sys::read_file_at(AT_FDCWD, (group + "/cgroup.subtree_control").c_str()).value_or("");
  std::ranges::replace(given, '\n', ' ');
  return given.contains(" memory ") && given.contains(" cpu ") && given.contains(" pids ");
}

std::string new_name() {
  static std::atomic<int> count = 0;
  return "probe-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

std::runtime_error failed(const std::string& what) {
  return std::runtime_error(base::system_error(what).error().text());
}

}  // namespace

Places own_places() {
  const auto found = sys::discover_hierarchies();
  if (!found) throw std::runtime_error(found.error().text());
  if (const auto& unified = found->unified) {
    for (const std::string& group : {unified->own_group, unified->mount_point}) {
      if (gives_controllers(group)) return {sys::CgroupVersion::kV2, {group}};
    }
  }
  Places places{sys::CgroupVersion::kV1, {}};
  for (const Controller controller : sys::kControllers) {
    const auto* hierarchy = found->find_v1(sys::controller_name(controller));
    if (hierarchy == nullptr) throw std::runtime_error("a controller is not mounted");
    places.roots[static_cast<std::size_t>(controller)] = hierarchy->own_group;
  }
  return places;
}

LiveGroup::LiveGroup(Places places) : name_(new_name()) {
  auto opened = OpenPlaces::open(std::move(places));
  if (!opened) throw std::runtime_error(opened.error().text());
  places_ = std::move(*opened);
  make();
}

LiveGroup::~LiveGroup() {
  for (const pid_t child : children_) ::kill(child, SIGKILL);
  for (const pid_t child : children_) ::waitpid(child, nullptr, 0);
  children_.clear();
  remove();
}

std::string LiveGroup::path(Controller controller) const { return places_.places().root(controller) + "/" + name_; }

void LiveGroup::make() {
  for (const Controller controller : sys::kControllers) {
    if (::mkdir(path(controller).c_str(), 0755) != 0 && errno != EEXIST) throw failed(path(controller));
  }
}

void LiveGroup::remove() {
  for (const Controller controller : sys::kControllers) {
    const std::string directory = path(controller);
    // The last task may still be on its way out.
    eventually([&] { return ::rmdir(directory.c_str()) == 0 || errno != EBUSY; });
  }
}

void LiveGroup::set(Controller controller, const std::string& file, const std::string& value) const {
  const auto written = sys::write_file_at(AT_FDCWD, (path(controller) + "/" + file).c_str(), value);
  if (!written) throw std::runtime_error(written.error().text());
}

std::string LiveGroup::text(Controller controller, const std::string& file) const {
  return sys::read_file_at(AT_FDCWD, (path(controller) + "/" + file).c_str()).value_or("");
}

void LiveGroup::limit_memory(std::uint64_t bytes) const {
  set(Controller::kMemory, v2() ? "memory.max" : "memory.limit_in_bytes", std::to_string(bytes));
  if (!v2()) set(Controller::kMemory, "memory.memsw.limit_in_bytes", std::to_string(bytes));
  if (v2() && ::access((path(Controller::kMemory) + "/memory.swap.max").c_str(), F_OK) == 0) {
    set(Controller::kMemory, "memory.swap.max", "0");
  }
}

void LiveGroup::limit_cpu(std::uint64_t quota_usec, std::uint64_t period_usec) const {
  if (v2()) return set(Controller::kCpu, "cpu.max", std::to_string(quota_usec) + " " + std::to_string(period_usec));
  set(Controller::kCpu, "cpu.cfs_period_us", std::to_string(period_usec));
  set(Controller::kCpu, "cpu.cfs_quota_us", std::to_string(quota_usec));
}

void LiveGroup::limit_pids(std::uint64_t most) const { set(Controller::kPids, "pids.max", std::to_string(most)); }

pid_t LiveGroup::start(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child < 0) throw failed("fork");
  if (child == 0) {
    for (const Controller controller : sys::kControllers) {
      set(controller, v2() ? "cgroup.procs" : "tasks", "0");
      if (v2()) break;
    }
    ::_exit(body());
  }
  children_.push_back(child);
  return child;
}

int LiveGroup::wait(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  std::erase(children_, child);
  return status;
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

int be_busy() {
  for (volatile unsigned turns = 0;;) turns = turns + 1;
}

int take_memory(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  std::memset(memory, 1, bytes);
  return 0;
}

}  // namespace outrigger::probe
