#pragma once

#include <cstddef>
#include <string>

#include "base/unique_fd.h"
#include "model/outcome.h"
#include "wire/job_card.h"

namespace outrigger::pool {

// The files of the Outrigger Protocol: a card while a job runs, a termination summary when it has ended. Both appear
// whole or not at all. A file that can't be written never stops a job: it is counted, logged once, and shown by
// health().
class JobRecords {
 public:
  // Invalid descriptors: that kind of record is not kept. Cards a dead daemon left are removed.
  JobRecords(base::UniqueFd jobs_dir, base::UniqueFd terminations_dir);

  void begin(const wire::JobCard& card);
  // The summary first, then the card goes: a job is always in one of the two places.
  void end(const model::Outcome& outcome, const std::string& command, const std::string& cgroup_driver);

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
