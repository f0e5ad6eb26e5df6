#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "roster/watched_group.h"
#include "rules/death.h"
#include "rules/rule.h"
#include "view/report.h"
#include "wire/job_card.h"
#include "wire/termination.h"

namespace outrigger::roster {

// One run of one job as the auditor has seen it: its card, its group's readings, and the rules that judge it.
class TrackedJob {
 public:
  using Clock = std::chrono::steady_clock;

  TrackedJob(const wire::JobCard& card, std::shared_ptr<const probe::OpenPlaces> places);

  // The group it runs in, to be attached where it was found.
  [[nodiscard]] WatchedGroup& group() { return group_; }
  [[nodiscard]] const WatchedGroup& group() const { return group_; }

  // Reads the group and asks the rules; gives what they have to tell.
  std::vector<rules::Finding> look(Clock::time_point now) { return look(now, true); }
  // The same between two intervals, since something has happened: no interval ends by it.
  std::vector<rules::Finding> look_between(Clock::time_point now) { return look(now, false); }
  // The run has ended; `summary`: as the daemon tells it, where it does.
  std::vector<rules::Finding> end(Clock::time_point now, const wire::Termination* summary);
  [[nodiscard]] rules::CauseOfDeath cause_of_death(const wire::Termination& summary) const;

  [[nodiscard]] const rules::Subject& subject() const { return subject_; }
  [[nodiscard]] bool seen() const { return group_.first() != nullptr; }  // was read at least once
  [[nodiscard]] bool summarised() const { return summarised_; }
  [[nodiscard]] std::optional<Clock::time_point> ended_at() const { return ended_at_; }
  [[nodiscard]] std::optional<std::uint64_t> memory_bytes() const;
  [[nodiscard]] const std::vector<rules::Finding>& findings() const { return findings_; }

  void keep_history() { history_ = std::make_unique<view::JobHistory>(); }
  [[nodiscard]] view::JobRow row(std::chrono::system_clock::time_point now) const;

 private:
  std::vector<rules::Finding> look(Clock::time_point now, bool scheduled);
  void note_history(Clock::time_point now);
  std::vector<rules::Finding> ask_rules(Clock::time_point now, bool scheduled, const wire::Termination* summary);

  rules::Subject subject_;
  WatchedGroup group_;
  std::vector<std::unique_ptr<rules::Rule>> rules_;
  std::vector<rules::Finding> findings_;
  std::unique_ptr<view::JobHistory> history_;
  Clock::time_point marked_at_;
  std::optional<Clock::time_point> ended_at_;
  bool summarised_ = false;
  bool final_ = false;  // the last reading was made after the end
};

}  // namespace outrigger::roster
