#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probe/cycles.h"
#include "probe/group.h"
#include "probe/places.h"
#include "rules/death.h"
#include "rules/rule.h"
#include "view/report.h"
#include "wire/job_card.h"
#include "wire/termination.h"

namespace outrigger::roster {

// CPU cycles of a run, or why nobody counted them.
struct Cycles {
  std::optional<std::uint64_t> count;
  // The CPU time they were counted over: the rest had passed before the auditor saw the job.
  std::optional<std::uint64_t> over_cpu_usec;
  std::string why_not = "the job was never seen alive";  // where there is no count
};

// One run of one job as the auditor has seen it: its card, its group's readings, and the rules that judge it.
class TrackedJob {
 public:
  using Clock = std::chrono::steady_clock;

  TrackedJob(const wire::JobCard& card, std::shared_ptr<const probe::OpenPlaces> places);

  // The group it runs in; nothing where it was gone when it was looked for.
  void attach(probe::Group group);

  // Counts cycles from now on, as long as the group is there: a descriptor a CPU.
  void count_cycles(sys::Controller hierarchy);
  void leave_cycles(std::string why_not) { cycles_.why_not = std::move(why_not); }
  [[nodiscard]] const Cycles& cycles() const { return cycles_; }

  // Reads the group and asks the rules; gives what they have to tell. A group that did nothing since it was read last
  // is not read further: its figures stand.
  std::vector<rules::Finding> look(Clock::time_point now) { return look(now, true); }
  // The same between two intervals, since something has happened: no interval ends by it.
  std::vector<rules::Finding> look_between(Clock::time_point now) { return look(now, false); }
  // The run has ended; `summary`: as the daemon tells it, where it does.
  std::vector<rules::Finding> end(Clock::time_point now, const wire::Termination* summary);
  [[nodiscard]] rules::CauseOfDeath cause_of_death(const wire::Termination& summary) const;

  [[nodiscard]] const rules::Subject& subject() const { return subject_; }
  [[nodiscard]] bool seen() const { return first_.has_value(); }  // was read at least once
  [[nodiscard]] bool summarised() const { return summarised_; }
  // Of the memory hierarchy on v1; empty where it was never found.
  [[nodiscard]] std::string group_directory() const;
  [[nodiscard]] bool namespaces_hidden() const { return members_ && !members_->namespaces_known; }
  [[nodiscard]] bool group_gone() const { return gone_; }
  [[nodiscard]] std::optional<Clock::time_point> ended_at() const { return ended_at_; }
  [[nodiscard]] std::optional<std::uint64_t> memory_bytes() const;
  // Of its memory, what the kernel could drop at once. An effort: only where it is asked for.
  [[nodiscard]] std::optional<std::uint64_t> inactive_file_bytes() const;
  [[nodiscard]] const probe::Reading* last() const { return now_ ? &*now_ : nullptr; }
  [[nodiscard]] const std::vector<rules::Finding>& findings() const { return findings_; }

  void keep_history() { history_ = std::make_unique<view::JobHistory>(); }
  [[nodiscard]] view::JobRow row(std::chrono::system_clock::time_point now) const;

 private:
  enum class Look : std::uint8_t { kNone, kIdle, kRead };
  Look read(Clock::time_point now, bool scheduled);
  void note(const probe::Reading& reading, bool scheduled);
  Look note_idle(Clock::time_point now, bool scheduled);
  std::vector<rules::Finding> look(Clock::time_point now, bool scheduled);
  void read_members();
  void read_cycles();
  void note_history(Clock::time_point now);
  std::vector<rules::Finding> ask_rules(Clock::time_point now, bool scheduled, const wire::Termination* summary);
  [[nodiscard]] std::optional<double> cores_used() const;
  [[nodiscard]] std::optional<std::uint64_t> ancestor_ooms_since() const;

  rules::Subject subject_;
  std::shared_ptr<const probe::OpenPlaces> places_;  // which the group refers to
  std::optional<probe::Group> group_;
  std::optional<probe::CycleCounter> cycle_counter_;
  Cycles cycles_;
  std::optional<std::uint64_t> cpu_before_cycles_;
  probe::Figure ancestor_ooms_;  // of the groups above, when it was first seen
  std::optional<probe::Reading> first_;
  std::optional<probe::Reading> interval_;  // the last that ended an interval
  std::optional<probe::Reading> before_;    // what `now_` is compared with: the last interval's end
  std::optional<probe::Reading> now_;
  std::optional<rules::Members> members_;  // as of this look
  std::optional<double> throttling_;
  std::vector<std::unique_ptr<rules::Rule>> rules_;
  std::vector<rules::Finding> findings_;
  std::unique_ptr<view::JobHistory> history_;
  Clock::time_point marked_at_;
  std::optional<Clock::time_point> ended_at_;
  unsigned looks_ = 0;
  unsigned idle_looks_ = 0;  // in a row
  bool gone_ = false;
  bool summarised_ = false;
  bool final_ = false;  // now_ was read after the end
};

}  // namespace outrigger::roster
