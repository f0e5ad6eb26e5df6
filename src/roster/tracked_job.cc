#include "roster/tracked_job.h"

#include <algorithm>
#include <cmath>

#include "probe/machine.h"
#include "probe/members.h"

namespace outrigger::roster {
namespace {

using namespace std::chrono_literals;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

// A jail's quota is set when it is handed over, which may be after the first look; nothing else of its limits changes.
constexpr unsigned kLimitsEvery = 8;
// Who is in the group costs a look at each process.
constexpr unsigned kMembersEvery = 8;
constexpr unsigned kProofEvery = 8;

bool same(const probe::Figure& one, const probe::Figure& other) { return one.optional() == other.optional(); }

std::uint8_t mark_of(double percent) { return static_cast<std::uint8_t>(std::clamp(percent, 0.0, 100.0)); }

}  // namespace

TrackedJob::TrackedJob(const wire::JobCard& card, std::shared_ptr<const probe::OpenPlaces> places)
    : subject_{card.job_id, card.tenant_id, card.language, card.limits, card.started_at}, places_(std::move(places)) {
  rules_.reserve(rules::all_rules().size());
  for (const rules::RuleKind& kind : rules::all_rules()) rules_.push_back(kind.make());
}

void TrackedJob::attach(probe::Group group) {
  group_.emplace(std::move(group));
  // v1 counts no such thing.
  if (places_->version() == sys::CgroupVersion::kV2) {
    ancestor_ooms_ = probe::read_ancestor_counters(places_->places()).ooms;
  }
}

std::optional<std::uint64_t> TrackedJob::ancestor_ooms_since() const {
  if (!ancestor_ooms_) return std::nullopt;
  const probe::Figure now = probe::read_ancestor_counters(places_->places()).ooms;
  if (!now || *now < *ancestor_ooms_) return std::nullopt;
  return *now - *ancestor_ooms_;
}

TrackedJob::Look TrackedJob::read(Clock::time_point now, bool scheduled) {
  if (!group_ || gone_) return Look::kNone;
  // One that has stood still is looked at by one read, and now and then by a proper one, which proves that it is
  // itself.
  if (idle_looks_ > 0 && idle_looks_ % kProofEvery != 0 && same(group_->glance(), now_->cpu_usage_usec)) {
    return note_idle(now, scheduled);
  }
  probe::Reading light;
  const auto seen = group_->read(probe::Depth::kLight, light);
  if (!seen) return Look::kNone;
  if (*seen == probe::Seen::kEnded) {
    gone_ = true;
    return Look::kNone;
  }
  const bool idle = now_ && light.cpu_usage_usec && same(light.cpu_usage_usec, now_->cpu_usage_usec) &&
                    same(light.memory_bytes, now_->memory_bytes);
  if (idle) return note_idle(now, scheduled);
  idle_looks_ = 0;
  probe::Reading fresh = now_.value_or(light);
  const auto depth = looks_ % kLimitsEvery < 2 ? probe::Depth::kFullWithLimits : probe::Depth::kFull;
  const auto full = group_->read(depth, fresh);
  if (!full) return Look::kNone;
  if (*full == probe::Seen::kEnded) {
    gone_ = true;
    return Look::kNone;
  }
  ++looks_;
  fresh.at = now;
  note(fresh, scheduled);
  if (!first_) first_ = fresh;
  if (looks_ % kMembersEvery == 1) read_members();
  return Look::kRead;
}

void TrackedJob::note(const probe::Reading& reading, bool scheduled) {
  before_ = interval_;
  now_ = reading;
  throttling_ = before_ ? rules::throttling_percent(*before_, *now_) : std::nullopt;
  if (scheduled) interval_ = now_;
}

// Nothing but the time has changed.
TrackedJob::Look TrackedJob::note_idle(Clock::time_point now, bool scheduled) {
  constexpr unsigned kAllAlike = 2;  // after so many the readings that are compared are the same, too
  if (scheduled) ++idle_looks_;
  if (!scheduled || idle_looks_ <= kAllAlike) {
    probe::Reading same = *now_;
    same.at = now;
    note(same, scheduled);
    return Look::kIdle;
  }
  before_->at = interval_->at;
  interval_->at = now_->at = now;
  throttling_.reset();
  return Look::kIdle;
}

void TrackedJob::read_members() {
  const auto found = probe::read_members(*group_);
  if (!found) return;
  members_ = rules::Members{found->count, found->outside, found->namespaces_known};
}

void TrackedJob::count_cycles(sys::Controller hierarchy) {
  if (!group_) return;
  const auto dir = group_->open_directory(hierarchy);
  if (!dir) return;
  auto counter = probe::CycleCounter::open(dir->get());
  if (!counter) return leave_cycles(counter.error().text());
  cycle_counter_.emplace(std::move(*counter));
  cycles_.why_not = "the counter had no turn";
  probe::Reading light;
  const auto seen = group_->read(probe::Depth::kLight, light);
  if (seen && *seen == probe::Seen::kRead) cpu_before_cycles_ = light.cpu_usage_usec.optional();
}

void TrackedJob::read_cycles() {
  if (!cycle_counter_) return;
  cycles_.count = cycle_counter_->read();
  const auto used = now_ ? now_->cpu_usage_usec.optional() : std::nullopt;
  if (used && cpu_before_cycles_ && *used >= *cpu_before_cycles_) cycles_.over_cpu_usec = *used - *cpu_before_cycles_;
  cycle_counter_.reset();
}

std::vector<rules::Finding> TrackedJob::ask_rules(Clock::time_point now, bool scheduled,
                                                  const wire::Termination* summary) {
  const auto since = [now](const auto& then) { return duration_cast<milliseconds>(now - then); };
  rules::Sight sight{subject_};
  sight.ended = ended_at_.has_value();
  sight.scheduled = scheduled;
  if (ended_at_) sight.since_end = since(*ended_at_);
  if (first_) sight.observed = duration_cast<milliseconds>(now_->at - first_->at);
  sight.first = first_ ? &*first_ : nullptr;
  sight.before = before_ ? &*before_ : nullptr;
  sight.now = now_ && !gone_ ? &*now_ : nullptr;
  // What was read last counts against a summary, though the group is gone since.
  if (summary != nullptr && now_) sight.now = &*now_;
  sight.throttling_percent = throttling_;
  sight.members = members_ ? &*members_ : nullptr;
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
  members_.reset();
  const Look seen = read(now, scheduled);
  if (seen != Look::kNone) note_history(now);
  if (ended_at_) {
    if (seen != Look::kNone) read_members();
    return ask_rules(now, scheduled, nullptr);
  }
  // That it stands still, the rules have to hear once.
  if (seen == Look::kNone || idle_looks_ > 1) return {};
  return ask_rules(now, scheduled, nullptr);
}

std::vector<rules::Finding> TrackedJob::end(Clock::time_point now, const wire::Termination* summary) {
  members_.reset();
  if (!ended_at_) ended_at_ = now;
  summarised_ = summarised_ || summary != nullptr;
  // Often it is just there still: then what it says now is final.
  final_ = read(now, false) != Look::kNone || final_;
  read_cycles();
  return ask_rules(now, false, summary);
}

rules::CauseOfDeath TrackedJob::cause_of_death(const wire::Termination& summary) const {
  rules::DeathScene scene{summary};
  scene.card = &subject_;
  scene.first = first_ ? &*first_ : nullptr;
  scene.last = now_ ? &*now_ : nullptr;
  scene.last_is_final = final_;
  if (summary.outcome.usage.oom_kills.value_or(0) > 0) scene.ancestor_ooms = ancestor_ooms_since();
  return rules::cause_of_death(scene);
}

std::string TrackedJob::group_directory() const {
  return group_ ? places_->places().root(sys::Controller::kMemory) + "/" + group_->name() : std::string();
}

std::optional<std::uint64_t> TrackedJob::memory_bytes() const {
  return now_ && !gone_ ? now_->memory_bytes.optional() : std::nullopt;
}

std::optional<std::uint64_t> TrackedJob::inactive_file_bytes() const {
  if (!group_ || gone_) return std::nullopt;
  const auto bytes = group_->read_inactive_file();
  return bytes ? bytes->optional() : std::nullopt;
}

std::optional<double> TrackedJob::cores_used() const {
  if (!before_ || !now_->cpu_usage_usec || !before_->cpu_usage_usec) return std::nullopt;
  const double elapsed = std::chrono::duration<double, std::micro>(now_->at - before_->at).count();
  if (elapsed <= 0 || *now_->cpu_usage_usec < *before_->cpu_usage_usec) return std::nullopt;
  return static_cast<double>(*now_->cpu_usage_usec - *before_->cpu_usage_usec) / elapsed;
}

void TrackedJob::note_history(Clock::time_point now) {
  if (!history_ || now - marked_at_ < 1s) return;
  marked_at_ = now;
  const double limit = static_cast<double>(now_->memory_limit_bytes.value_or(subject_.limits.memory_bytes));
  history_->memory.add(mark_of(100.0 * static_cast<double>(now_->memory_bytes.value_or(0)) / std::max(limit, 1.0)));
  history_->cpu.add(mark_of(100.0 * cores_used().value_or(0) / std::max(subject_.limits.cpu_cores, 0.01)));
  history_->throttling.add(mark_of(throttling_.value_or(0)));
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
  if (!now_) return row;
  row.memory_bytes = now_->memory_bytes.optional();
  row.memory_limit_bytes = now_->memory_limit_bytes.optional();
  row.cpu_usage_usec = now_->cpu_usage_usec.optional();
  row.cpu_cores = cores_used();
  row.throttling_percent = throttling_;
  row.pids = now_->pids.optional();
  row.oom_kills = now_->oom_kills.optional();
  return row;
}

}  // namespace outrigger::roster
