#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "probe/descriptor_budget.h"
#include "probe/places.h"
#include "probe/reading.h"

namespace outrigger::probe {

class GroupFiles;

// How much of a reading is read.
enum class Depth : std::uint8_t {
  kLight,           // memory_bytes and cpu_usage_usec; every other figure becomes kNotRead
  kFull,            // everything but the limits, which stay in the reading as they were
  kFullWithLimits,  // everything; a primed jail gets its own CPU quota only when it is handed over
};

enum class Seen : std::uint8_t {
  kRead,
  kEnded,  // the group is removed; one that has its name now is another
};

// The control group of one job. The two files of a light reading are kept open while the budget lasts (a kept file of a
// removed group answers ENODEV, never another group's number); everything else is opened by name, and afterwards the
// name is seen to be still that of the same directory. Moves freely; `places` and `budget` stay and outlive it.
class Group {
 public:
  // `name` is that of the directory below the roots. Errors: kInvalid (no name), kNotFound (no such group), kSystem.
  static base::Result<Group> open(const OpenPlaces& places, std::string name, DescriptorBudget& budget);

  [[nodiscard]] const std::string& name() const { return name_; }
  // The inode of its directory, on v1 that of the memory hierarchy. The kernel gives none twice (kernfs ids).
  [[nodiscard]] ino_t identity() const { return identity_; }
  [[nodiscard]] const OpenPlaces& places() const { return *places_; }
  [[nodiscard]] std::size_t kept_descriptors() const { return (memory_ ? 1U : 0U) + (cpu_ ? 1U : 0U); }

  // Fills `out`, which is as before unless kRead. A figure the kernel does not offer is absent and no error. Errors:
  // kExhausted (no descriptors or memory left; try again), kSystem.
  base::Result<Seen> read(Depth depth, Reading& out);

  // cpu_usage_usec alone, by one read: whoever used no CPU time has done nothing since. A hint: that the group is still
  // the same is not proven, as read() does.
  [[nodiscard]] Figure glance();

  // memory.stat's inactive_file (v1: total_inactive_file), bytes: what could be given back without swapping. An effort
  // for the kernel, so only where it is asked for. Errors: kNotFound where the group is gone, and those of read().
  [[nodiscard]] base::Result<Figure> read_inactive_file() const;

  // Its directory in one hierarchy, seen to be this group's. Errors: kNotFound where it is gone, kSystem.
  [[nodiscard]] base::Result<base::UniqueFd> open_directory(sys::Controller controller) const;

 private:
  Group(const OpenPlaces& places, std::string name, DescriptorBudget& budget, ino_t identity)
      : places_(&places), lease_(budget), name_(std::move(name)), identity_(identity) {}

  bool keep_files();
  void forget_files();
  Reading read_figures(GroupFiles& files, Depth depth, const Reading& earlier) const;
  [[nodiscard]] base::Result<Seen> look_again() const;

  const OpenPlaces* places_;
  DescriptorBudget::Lease lease_;  // of the descriptors below, which are closed before they are given back
  std::string name_;
  ino_t identity_;
  base::UniqueFd memory_;
  base::UniqueFd cpu_;
};

}  // namespace outrigger::probe
