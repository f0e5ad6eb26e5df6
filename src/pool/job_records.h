#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "model/run_record.h"
#include "wire/job_card.h"

namespace outrigger::pool {

// The ids of the jobs whose cards are in this directory: at the start, those of a daemon that has died.
std::vector<std::string> stale_cards(const base::UniqueFd& jobs_dir);

// The files of the Outrigger Protocol: a card while a job runs, a termination summary when it has ended. Both appear
// whole or not at all. A file that can't be written never stops a job: it is counted, logged once, and shown by
// health().
class JobRecords {
 public:
  // Invalid descriptors: that kind of record is not kept. Cards a dead daemon left are removed: see stale_cards().
  JobRecords(base::UniqueFd jobs_dir, base::UniqueFd terminations_dir);

  void begin(const wire::JobCard& card);
  // For a job of an earlier process, unless it has a summary.
  void report_late(const model::RunRecord& record);
  // The summary first, then the card goes: a job is always in one of the two places.
  // `attempt`: of a queued job: its runs before this one, and this one. Each run has its own summary.
  void end(const model::Outcome& outcome, const std::string& command, const std::string& cgroup_driver,
           std::uint32_t attempt = 1);

  // Nothing, or why records are being lost.
  [[nodiscard]] std::string trouble() const { return trouble_; }

  // Nobody may be collecting the summaries: beyond this many no more are written, and trouble() says so.
  static constexpr std::size_t kMaxSpooled = 200'000;

 private:
  void note_failure(const std::string& what);

  base::UniqueFd jobs_dir_;
  base::UniqueFd terminations_dir_;
  std::size_t spooled_ = 0;
  std::string trouble_;
};

}  // namespace outrigger::pool
