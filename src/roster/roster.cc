#include "roster/roster.h"

#include <algorithm>
#include <unordered_set>

namespace outrigger::roster {
namespace {

using namespace std::chrono_literals;

// An ended job's group is watched for so long; one that is left is told of after 5 s.
constexpr auto kWatchedAfterEnd = 60s;

}  // namespace

Roster::Roster(const Estate& estate, RosterOptions options, Told told)
    : estate_(estate), options_(options), told_(std::move(told)), sites_(estate, options.kept_descriptors) {}

void Roster::tell(const TrackedJob& job, const std::vector<rules::Finding>& findings) const {
  for (const rules::Finding& finding : findings) told_(job.subject(), finding);
}

void Roster::card_came(const std::string& job_id, Clock::time_point now) {
  const auto card = estate_.job_card(job_id);
  if (!card || is_finished(*card)) return;
  if (const auto known = jobs_.find(job_id); known != jobs_.end()) {
    if (known->second->subject().started_at == card->started_at) return;
    // The id was given to another run.
    gone_[job_id] = {known->second->subject(), now, known->second->seen()};
    retire(job_id);
  }
  if (jobs_.size() >= options_.max_jobs) {
    if (waiting_.insert(job_id).second) ++turned_away_;
    return;
  }
  auto job = sites_.open_job(*card, jobs_.size() < options_.max_counted);
  if (options_.history) job->keep_history();
  tell(*job, job->look_between(now));
  jobs_.emplace(job_id, std::move(job));
}

void Roster::card_went(const std::string& job_id, Clock::time_point now) {
  const auto found = jobs_.find(job_id);
  if (found == jobs_.end() || estate_.has_card(job_id)) return;
  tell(*found->second, found->second->end(now, nullptr));
  gone_[job_id] = {found->second->subject(), now, found->second->seen()};
  retire(job_id);
}

void Roster::retire(const std::string& job_id) {
  auto node = jobs_.extract(job_id);
  ended_.push_back(std::move(node.mapped()));
}

// Cards and summaries tell milliseconds.
bool Roster::is_finished(const wire::JobCard& card) const {
  const auto last = finished_.find(card.job_id);
  return last != finished_.end() && card.started_at <= last->second + 1ms;
}

Death Roster::ended(const wire::Termination& summary, Clock::time_point now) {
  const std::string& id = summary.outcome.job_id;
  const auto left = gone_.extract(id);
  finished_[id] = summary.outcome.ended_at;
  TrackedJob* job = run_of(summary);
  Death death;
  if (job == nullptr) {
    death.observed = left && left.mapped().seen;
    death.cause = rules::cause_of_death({summary});
    // What the summary says against itself is worth knowing of a job nobody saw, too.
    TrackedJob unseen({id, summary.outcome.tenant_id, summary.outcome.language, {}, summary.outcome.started_at, {}, {}},
                      nullptr);
    tell(unseen, unseen.end(now, &summary));
    return death;
  }
  tell(*job, job->end(now, &summary));
  death.cause = job->cause_of_death(summary);
  death.observed = job->seen();
  death.cycles = job->group().cycles();
  if (const auto running = jobs_.find(id); running != jobs_.end() && running->second.get() == job) retire(id);
  return death;
}

// An id may be given to several runs, one after the other: the latest that had begun when this one ended.
TrackedJob* Roster::run_of(const wire::Termination& summary) {
  TrackedJob* found = nullptr;
  const auto consider = [&](TrackedJob* job) {
    if (job->subject().job_id != summary.outcome.job_id || job->summarised()) return;
    if (job->subject().started_at > summary.outcome.ended_at + 1ms) return;
    if (found == nullptr || job->subject().started_at > found->subject().started_at) found = job;
  };
  for (const auto& each : ended_) consider(each.get());
  if (const auto running = jobs_.find(summary.outcome.job_id); running != jobs_.end()) consider(running->second.get());
  return found;
}

void Roster::rescan(Clock::time_point now) { compare(now, false); }
void Roster::reread(Clock::time_point now) { compare(now, true); }

void Roster::compare(Clock::time_point now, bool read_known) {
  const auto listed = estate_.job_ids();
  const std::unordered_set<std::string> ids(listed.begin(), listed.end());
  for (const std::string& id : ids) {
    if (read_known || !jobs_.contains(id)) card_came(id, now);
  }
  std::vector<std::string> went;
  for (const auto& [id, job] : jobs_) {
    if (!ids.contains(id)) went.push_back(id);
  }
  for (const std::string& id : went) card_went(id, now);
  std::erase_if(finished_, [&ids](const auto& each) { return !ids.contains(each.first); });
  std::erase_if(waiting_, [&ids](const std::string& id) { return !ids.contains(id); });
}

void Roster::look_at(const std::string& job_id, Clock::time_point now) {
  const auto found = jobs_.find(job_id);
  if (found != jobs_.end()) tell(*found->second, found->second->look_between(now));
}

void Roster::look_at_all(Clock::time_point now) {
  for (const auto& [id, job] : jobs_) {
    tell(*job, job->look(now));
    const rules::Members* members = job->group().members();
    namespaces_hidden_ = namespaces_hidden_ || (members != nullptr && !members->namespaces_known);
  }
  look_at_ended(now);
  if (strays_.due(now)) look_for_strays(now);
}

void Roster::look_for_strays(Clock::time_point now) {
  const auto is_claimed = [this](const std::string& name) {
    if (jobs_.contains(name) || estate_.has_card(name)) return true;
    return std::ranges::any_of(ended_, [&](const auto& job) { return job->subject().job_id == name; });
  };
  strays_.look(group_roots(), now, is_claimed, [this](const std::string& name, const rules::Finding& finding) {
    rules::Subject subject;
    subject.job_id = name;
    told_(subject, finding);
  });
}

void Roster::look_at_ended(Clock::time_point now) {
  for (const auto& job : ended_) tell(*job, job->look(now));
  std::erase_if(ended_, [now](const auto& job) {
    return job->group().gone() || !job->seen() || now - job->ended_at().value_or(now) > kWatchedAfterEnd;
  });
}

std::vector<rules::Subject> Roster::without_summary(Clock::time_point now, std::chrono::milliseconds patience) {
  std::vector<rules::Subject> missing;
  std::erase_if(gone_, [&](const auto& entry) {
    if (now - entry.second.since < patience) return false;
    missing.push_back(entry.second.subject);
    return true;
  });
  return missing;
}

std::uint64_t Roster::memory_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [id, job] : jobs_) sum += job->memory_bytes().value_or(0);
  return sum;
}

std::uint64_t Roster::inactive_file_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [id, job] : jobs_) sum += job->group().inactive_file_bytes().value_or(0);
  return sum;
}

std::vector<view::JobRow> Roster::rows(std::chrono::system_clock::time_point now) const {
  std::vector<view::JobRow> rows;
  rows.reserve(jobs_.size());
  for (const auto& [id, job] : jobs_) {
    if (!job->group().gone()) rows.push_back(job->row(now));
  }
  return rows;
}

std::string Roster::group_directory(const std::string& job_id) const {
  const auto found = jobs_.find(job_id);
  return found == jobs_.end() ? std::string() : found->second->group().directory();
}

void Roster::for_each_running(const std::function<void(const TrackedJob&)>& visit) const {
  for (const auto& [id, job] : jobs_) visit(*job);
}

}  // namespace outrigger::roster
