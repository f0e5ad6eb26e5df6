#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "probe/cycles.h"
#include "probe/group.h"
#include "probe/places.h"
#include "rules/sight.h"

namespace outrigger::roster {

// CPU cycles of a run, or why nobody counted them.
struct Cycles {
  std::optional<std::uint64_t> count;
  // The CPU time they were counted over: the rest had passed before the auditor saw the job.
  std::optional<std::uint64_t> over_cpu_usec;
  std::string why_not = "the job was never seen alive";  // where there is no count
};

// The control group of one run, read again and again: what it says now, what is compared with what, and when nothing
// has happened.
class WatchedGroup {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Look : std::uint8_t { kNone, kIdle, kRead };

  explicit WatchedGroup(std::shared_ptr<const probe::OpenPlaces> places) : places_(std::move(places)) {}

  // Without it there is nothing to read.
  void attach(probe::Group group);

  // A group that did nothing since it was read last is not read further: its figures stand. `scheduled`: an interval
  // ends with this look; what lies between two of those is compared.
  Look read(Clock::time_point now, bool scheduled);
  // Who is in it. read() does that now and then by itself.
  void read_members();
  void forget_members() { members_.reset(); }

  // Counts cycles from now on, as long as the group is there: a descriptor a CPU.
  void count_cycles(sys::Controller hierarchy);
  void leave_cycles(std::string why_not) { cycles_.why_not = std::move(why_not); }
  void read_cycles();
  [[nodiscard]] const Cycles& cycles() const { return cycles_; }

  // Null where it has not come to that.
  [[nodiscard]] const probe::Reading* first() const { return first_ ? &*first_ : nullptr; }
  [[nodiscard]] const probe::Reading* before() const { return before_ ? &*before_ : nullptr; }
  [[nodiscard]] const probe::Reading* now() const { return now_ ? &*now_ : nullptr; }
  [[nodiscard]] const rules::Members* members() const { return members_ ? &*members_ : nullptr; }
  [[nodiscard]] std::optional<double> throttling() const { return throttling_; }
  [[nodiscard]] std::optional<double> cores_used() const;
  [[nodiscard]] bool gone() const { return gone_; }
  // Intervals in a row in which it did nothing.
  [[nodiscard]] unsigned idle_intervals() const { return idle_looks_; }

  // Of the memory hierarchy on v1; empty where it was never found.
  [[nodiscard]] std::string directory() const;
  // Of its memory, what the kernel could drop at once. An effort: only where it is asked for.
  [[nodiscard]] std::optional<std::uint64_t> inactive_file_bytes() const;
  // By how much the OOM count of the groups above has risen since it was attached.
  [[nodiscard]] std::optional<std::uint64_t> ancestor_ooms_since() const;

 private:
  void note(const probe::Reading& reading, bool scheduled);
  Look note_idle(Clock::time_point now, bool scheduled);
  Look read_all(const probe::Reading& light, Clock::time_point now, bool scheduled);

  std::shared_ptr<const probe::OpenPlaces> places_;  // which the group refers to
  std::optional<probe::Group> group_;
  std::optional<probe::CycleCounter> cycle_counter_;
  Cycles cycles_;
  std::optional<std::uint64_t> cpu_before_cycles_;
  probe::Figure ancestor_ooms_;  // when it was attached
  std::optional<probe::Reading> first_;
  std::optional<probe::Reading> interval_;  // the last that ended an interval
  std::optional<probe::Reading> before_;    // what `now_` is compared with: the last interval's end
  std::optional<probe::Reading> now_;
  std::optional<rules::Members> members_;  // as of the last look
  std::optional<double> throttling_;
  unsigned looks_ = 0;
  unsigned idle_looks_ = 0;
  bool gone_ = false;
};

}  // namespace outrigger::roster
