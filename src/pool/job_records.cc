#include "pool/job_records.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "base/ids.h"
#include "base/log.h"
#include "sys/directory.h"
#include "sys/small_file.h"
#include "wire/termination.h"

namespace outrigger::pool {
namespace {

constexpr unsigned kMode = 0644;

std::vector<std::string> names_in(const base::UniqueFd& dir) {
  return sys::names_in(dir.get(), sys::EntryType::kFile).value_or(std::vector<std::string>{});
}

std::string file_of(const std::string& job_id) { return job_id + ".json"; }

// An earlier run's summary may still wait for the auditor. No job id has a dot in it.
std::string summary_file(const std::string& job_id, std::uint32_t attempt) {
  return attempt > 1 ? job_id + "." + std::to_string(attempt) + ".json" : file_of(job_id);
}

}  // namespace

std::vector<std::string> stale_cards(const base::UniqueFd& jobs_dir) {
  std::vector<std::string> ids;
  for (const std::string& name : names_in(jobs_dir)) {
    const std::string_view id = std::string_view(name).substr(0, name.rfind(".json"));
    if (base::is_job_id(id)) ids.emplace_back(id);
  }
  return ids;
}

JobRecords::JobRecords(base::UniqueFd jobs_dir, base::UniqueFd terminations_dir)
    : jobs_dir_(std::move(jobs_dir)), terminations_dir_(std::move(terminations_dir)) {
  if (jobs_dir_) {
    for (const std::string& stale : names_in(jobs_dir_)) ::unlinkat(jobs_dir_.get(), stale.c_str(), 0);
  }
  if (terminations_dir_) spooled_ = names_in(terminations_dir_).size();
}

void JobRecords::note_failure(const std::string& what) {
  if (trouble_ != what) base::log(base::Level::kError, "job_record_lost", {{"reason", what}});
  trouble_ = what;
}

void JobRecords::begin(const wire::JobCard& card) {
  if (!jobs_dir_) return;
  const auto written =
      sys::replace_file_at(jobs_dir_.get(), file_of(card.job_id).c_str(), wire::job_card_json(card), kMode);
  if (!written) note_failure("job card: " + written.error().text());
}

void JobRecords::report_late(const model::RunRecord& record) {
  const std::string name = summary_file(record.outcome.job_id, record.attempt);
  if (terminations_dir_ && ::faccessat(terminations_dir_.get(), name.c_str(), F_OK, 0) == 0) return;
  end(record.outcome, record.command, record.cgroup_driver, record.attempt);
}

void JobRecords::end(const model::Outcome& outcome, const std::string& command, const std::string& cgroup_driver,
                     std::uint32_t attempt) {
  if (terminations_dir_) {
    // The auditor takes files away: only when the count says full is it worth looking at what is really there.
    if (spooled_ >= kMaxSpooled) spooled_ = names_in(terminations_dir_).size();
    if (spooled_ >= kMaxSpooled) {
      note_failure("the spool of termination summaries is full; start crows-nest watch, or empty it");
    } else {
      const auto text = wire::termination_json(outcome, command, cgroup_driver, attempt);
      const auto written =
          sys::replace_file_at(terminations_dir_.get(), summary_file(outcome.job_id, attempt).c_str(), text, kMode);
      if (written) {
        ++spooled_;
        trouble_.clear();
      } else {
        note_failure("termination summary: " + written.error().text());
      }
    }
  }
  if (jobs_dir_) ::unlinkat(jobs_dir_.get(), file_of(outcome.job_id).c_str(), 0);
}

}  // namespace outrigger::pool
