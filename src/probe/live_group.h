#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "probe/places.h"

// For tests and benches: real control groups on v2 or v1, whichever has the memory controller here.
namespace outrigger::probe {

// This process's own group (on v2 the top of the hierarchy, where the own one may have none below), as if jobs' groups
// lay in it. Throws std::runtime_error where there are no controllers.
Places own_places();

// A group in every hierarchy, below our own or in the directories that are named.
class LiveGroup {
 public:
  // Throws std::runtime_error where none can be made: such a test cannot pass.
  explicit LiveGroup(Places places = own_places());
  ~LiveGroup();  // kills what is still in it and removes it
  LiveGroup(const LiveGroup&) = delete;
  LiveGroup& operator=(const LiveGroup&) = delete;

  [[nodiscard]] const OpenPlaces& places() const { return places_; }
  [[nodiscard]] bool v2() const { return places_.version() == sys::CgroupVersion::kV2; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string path(sys::Controller controller) const;

  void set(sys::Controller controller, const std::string& file, const std::string& value) const;
  [[nodiscard]] std::string text(sys::Controller controller, const std::string& file) const;
  void limit_memory(std::uint64_t bytes) const;  // and no swap beside it
  void limit_cpu(std::uint64_t quota_usec, std::uint64_t period_usec) const;
  void limit_pids(std::uint64_t most) const;

  // A child that runs `body` as a member and ends with what it returns; ended and reaped with the group at the latest.
  pid_t start(const std::function<int()>& body);
  int wait(pid_t child);  // its wait status

  void remove();  // the children must have ended
  void make();    // again, by the same name

 private:
  OpenPlaces places_;
  std::string name_;
  std::vector<pid_t> children_;
};

// Whether `condition` becomes true before a minute is over, which in emulation too means that it never will.
bool eventually(const std::function<bool()>& condition);

// What members do. Uses a CPU until it is killed.
int be_busy();
// Takes so much memory and writes on all of it.
int take_memory(std::size_t bytes);

}  // namespace outrigger::probe
