#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "roster/estate.h"
#include "roster/sites.h"
#include "roster/strays.h"
#include "roster/tracked_job.h"

namespace outrigger::roster {

struct RosterOptions {
  bool history = false;           // keep each job's last minute
  std::size_t max_jobs = 50'000;  // more are counted, and not looked at: the auditor's own memory has a bound too
  std::size_t kept_descriptors = 4096;
  std::size_t max_counted = 256;  // jobs whose cycles are counted at a time: a descriptor a CPU each
};

// What has become of a run, by both witnesses.
struct Death {
  rules::CauseOfDeath cause;
  bool observed = false;  // its group was read while it ran
  Cycles cycles;
};

// All jobs that run, as the auditor sees them, and those that have ended and left their group behind.
class Roster {
 public:
  using Clock = TrackedJob::Clock;
  // Told of each finding about a job.
  using Told = std::function<void(const rules::Subject&, const rules::Finding&)>;

  Roster(const Estate& estate, RosterOptions options, Told told);

  // Compares with the cards that lie there, by their names: now and then, since an event may be lost without a word.
  void rescan(Clock::time_point now);
  // The same for the start and where events were lost: an id that is known may be another job's by now.
  void reread(Clock::time_point now);
  // A card has come: the job is looked at now, or a short one would never be.
  void card_came(const std::string& job_id, Clock::time_point now);
  // A card is gone: the job has ended, its summary has been written before or never will be.
  void card_went(const std::string& job_id, Clock::time_point now);
  // One interval: every job is read and judged.
  void look_at_all(Clock::time_point now);
  // A job's own events file has changed.
  void look_at(const std::string& job_id, Clock::time_point now);

  // The run that this summary tells of has ended.
  Death ended(const wire::Termination& summary, Clock::time_point now);

  // Ids of jobs whose card went away so long ago at least, without a summary; each is named once.
  std::vector<rules::Subject> without_summary(Clock::time_point now, std::chrono::milliseconds patience);

  [[nodiscard]] std::size_t running() const { return jobs_.size(); }
  [[nodiscard]] bool is_running(const std::string& job_id) const { return jobs_.contains(job_id); }
  [[nodiscard]] std::uint64_t memory_bytes() const;         // of all that run
  [[nodiscard]] std::uint64_t inactive_file_bytes() const;  // of that, what could be dropped at once; an effort
  // The kernel did not show where the processes of some job were.
  [[nodiscard]] bool namespaces_hidden() const { return namespaces_hidden_; }
  [[nodiscard]] std::uint64_t turned_away() const { return turned_away_; }
  // Why jobs that run can't be looked at at all, where that is so.
  [[nodiscard]] const std::optional<base::Error>& trouble() const { return sites_.trouble(); }
  // "v1", "v2"; empty: no group has been found yet.
  [[nodiscard]] std::string driver() const { return sites_.driver(); }
  [[nodiscard]] std::vector<view::JobRow> rows(std::chrono::system_clock::time_point now) const;
  // Directories that hold jobs' groups, of the memory hierarchy on v1.
  [[nodiscard]] std::vector<std::string> group_roots() const { return sites_.roots(); }
  // The directory of a running job's group, for its events files; empty where it has none.
  [[nodiscard]] std::string group_directory(const std::string& job_id) const;

  void for_each_running(const std::function<void(const TrackedJob&)>& visit) const;

 private:
  struct Gone {
    rules::Subject subject;
    Clock::time_point since;
    bool seen = false;
  };

  void compare(Clock::time_point now, bool read_known);
  void tell(const TrackedJob& job, const std::vector<rules::Finding>& findings) const;
  void retire(const std::string& job_id);
  [[nodiscard]] bool is_finished(const wire::JobCard& card) const;
  TrackedJob* run_of(const wire::Termination& summary);
  void look_for_strays(Clock::time_point now);
  void look_at_ended(Clock::time_point now);

  const Estate& estate_;
  RosterOptions options_;
  Told told_;
  Sites sites_;
  std::unordered_map<std::string, std::unique_ptr<TrackedJob>> jobs_;
  std::vector<std::unique_ptr<TrackedJob>> ended_;  // whose group is not seen to be gone
  std::unordered_map<std::string, Gone> gone_;      // whose summary has not come
  // When a job's last summarised run ended: the card of that run may still be there for a moment.
  std::unordered_map<std::string, std::chrono::system_clock::time_point> finished_;
  Strays strays_;
  std::unordered_set<std::string> waiting_;  // were turned away; each is counted once
  std::uint64_t turned_away_ = 0;
  bool namespaces_hidden_ = false;
};

}  // namespace outrigger::roster
