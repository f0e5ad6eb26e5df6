#include "roster/tracked_job.h"

#include <algorithm>

namespace outrigger::roster {
namespace {

using namespace std::chrono_literals;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

std::uint8_t mark_of(double percent) { return static_cast<std::uint8_t>(std::clamp(percent, 0.0, 100.0)); }

}  // namespace

TrackedJob::TrackedJob(const wire::JobCard& card, std::shared_ptr<const probe::OpenPlaces> places)
    : subject_{card.job_id, card.tenant_id, card.language, card.limits, card.started_at}, group_(std::move(places)) {
  rules_.reserve(rules::all_rules().size());
  for (const rules::RuleKind& kind : rules::all_rules()) rules_.push_back(kind.make());
}

std::vector<rules::Finding> TrackedJob::ask_rules(Clock::time_point now, bool scheduled,
                                                  const wire::Termination* summary) {
  const auto since = [now](const auto& then) { return duration_cast<milliseconds>(now - then); };
  rules::Sight sight{subject_};
  sight.ended = ended_at_.has_value();
  sight.scheduled = scheduled;
  if (ended_at_) sight.since_end = since(*ended_at_);
  sight.first = group_.first();
  sight.before = group_.before();
  if (sight.first != nullptr) sight.observed = duration_cast<milliseconds>(group_.now()->at - sight.first->at);
  // What was read last counts against a summary, though the group is gone since.
  sight.now = !group_.gone() || summary != nullptr ? group_.now() : nullptr;
  sight.throttling_percent = group_.throttling();
  sight.members = group_.members();
  sight.summary = summary;
  std::vector<rules::Finding> told;
  for (const auto& rule : rules_) {
    auto finding = rule->look(sight);
    if (!finding) continue;
    findings_.push_back(*finding);
    told.push_back(std::move(*finding));
  }
  return told;
}

std::vector<rules::Finding> TrackedJob::look(Clock::time_point now, bool scheduled) {
  group_.forget_members();
  const auto seen = group_.read(now, scheduled);
  if (seen != WatchedGroup::Look::kNone) note_history(now);
  if (ended_at_) {
    if (seen != WatchedGroup::Look::kNone) group_.read_members();
    return ask_rules(now, scheduled, nullptr);
  }
  // That it stands still, the rules have to hear once.
  if (seen == WatchedGroup::Look::kNone || group_.idle_intervals() > 1) return {};
  return ask_rules(now, scheduled, nullptr);
}

std::vector<rules::Finding> TrackedJob::end(Clock::time_point now, const wire::Termination* summary) {
  group_.forget_members();
  if (!ended_at_) ended_at_ = now;
  summarised_ = summarised_ || summary != nullptr;
  // Often it is just there still: then what it says now is final.
  final_ = group_.read(now, false) != WatchedGroup::Look::kNone || final_;
  group_.read_cycles();
  return ask_rules(now, false, summary);
}

rules::CauseOfDeath TrackedJob::cause_of_death(const wire::Termination& summary) const {
  rules::DeathScene scene{summary};
  scene.card = &subject_;
  scene.first = group_.first();
  scene.last = group_.now();
  scene.last_is_final = final_;
  if (summary.outcome.usage.oom_kills.value_or(0) > 0) scene.ancestor_ooms = group_.ancestor_ooms_since();
  return rules::cause_of_death(scene);
}

std::optional<std::uint64_t> TrackedJob::memory_bytes() const {
  return group_.now() != nullptr && !group_.gone() ? group_.now()->memory_bytes.optional() : std::nullopt;
}

void TrackedJob::note_history(Clock::time_point now) {
  if (!history_ || now - marked_at_ < 1s) return;
  marked_at_ = now;
  const probe::Reading& last = *group_.now();
  const double limit = static_cast<double>(last.memory_limit_bytes.value_or(subject_.limits.memory_bytes));
  history_->memory.add(mark_of(100.0 * static_cast<double>(last.memory_bytes.value_or(0)) / std::max(limit, 1.0)));
  history_->cpu.add(mark_of(100.0 * group_.cores_used().value_or(0) / std::max(subject_.limits.cpu_cores, 0.01)));
  history_->throttling.add(mark_of(group_.throttling().value_or(0)));
}

view::JobRow TrackedJob::row(std::chrono::system_clock::time_point now) const {
  view::JobRow row;
  row.job_id = subject_.job_id;
  row.tenant_id = subject_.tenant_id;
  row.language = subject_.language;
  row.age = std::max(duration_cast<milliseconds>(now - subject_.started_at), 0ms);
  row.findings = findings_;
  row.pids_limit = subject_.limits.pids;
  if (history_) row.history = *history_;
  const probe::Reading* last = group_.now();
  if (last == nullptr) return row;
  row.memory_bytes = last->memory_bytes.optional();
  row.memory_limit_bytes = last->memory_limit_bytes.optional();
  row.cpu_usage_usec = last->cpu_usage_usec.optional();
  row.cpu_cores = group_.cores_used();
  row.throttling_percent = group_.throttling();
  row.pids = last->pids.optional();
  row.oom_kills = last->oom_kills.optional();
  return row;
}

}  // namespace outrigger::roster
