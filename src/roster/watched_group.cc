#include "roster/watched_group.h"

#include "probe/machine.h"
#include "probe/members.h"

namespace outrigger::roster {
namespace {

// A jail's quota is set when it is handed over, which may be after the first look; nothing else of its limits changes.
constexpr unsigned kLimitsEvery = 8;
// Who is in the group costs a look at each process.
constexpr unsigned kMembersEvery = 8;
constexpr unsigned kProofEvery = 8;

bool same(const probe::Figure& one, const probe::Figure& other) { return one.optional() == other.optional(); }

}  // namespace

void WatchedGroup::attach(probe::Group group) {
  group_.emplace(std::move(group));
  ancestor_ooms_ = probe::ancestor_ooms(places_->places());
}

std::optional<std::uint64_t> WatchedGroup::ancestor_ooms_since() const {
  if (!ancestor_ooms_) return std::nullopt;
  const probe::Figure now = probe::ancestor_ooms(places_->places());
  if (!now || *now < *ancestor_ooms_) return std::nullopt;
  return *now - *ancestor_ooms_;
}

WatchedGroup::Look WatchedGroup::read(Clock::time_point now, bool scheduled) {
  if (!group_ || gone_) return Look::kNone;
  // One that has stood still is looked at by one read, and now and then by a proper one, which proves that it is
  // itself.
  if (now_ && idle_looks_ > 0 && idle_looks_ % kProofEvery != 0 && same(group_->glance(), now_->cpu_usage_usec)) {
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
  return read_all(light, now, scheduled);
}

WatchedGroup::Look WatchedGroup::read_all(const probe::Reading& light, Clock::time_point now, bool scheduled) {
  if (!group_) return Look::kNone;
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

void WatchedGroup::note(const probe::Reading& reading, bool scheduled) {
  before_ = interval_;
  now_ = reading;
  throttling_ = before_ ? rules::throttling_percent(*before_, *now_) : std::nullopt;
  if (scheduled) interval_ = now_;
}

// Nothing but the time has changed.
WatchedGroup::Look WatchedGroup::note_idle(Clock::time_point now, bool scheduled) {
  constexpr unsigned kAllAlike = 2;  // after so many the readings that are compared are the same, too
  if (!now_) return Look::kNone;
  if (scheduled) ++idle_looks_;
  if (scheduled && idle_looks_ > kAllAlike && before_ && interval_) {
    before_->at = interval_->at;
    interval_->at = now_->at = now;
    throttling_.reset();
    return Look::kIdle;
  }
  probe::Reading same = *now_;
  same.at = now;
  note(same, scheduled);
  return Look::kIdle;
}

void WatchedGroup::read_members() {
  if (!group_ || gone_) return;
  if (auto found = probe::read_members(*group_)) members_ = std::move(*found);
}

void WatchedGroup::count_cycles(sys::Controller hierarchy) {
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

void WatchedGroup::read_cycles() {
  if (!cycle_counter_) return;
  cycles_.count = cycle_counter_->read();
  const auto used = now_ ? now_->cpu_usage_usec.optional() : std::nullopt;
  if (used && cpu_before_cycles_ && *used >= *cpu_before_cycles_) cycles_.over_cpu_usec = *used - *cpu_before_cycles_;
  cycle_counter_.reset();
}

std::string WatchedGroup::directory() const {
  return group_ ? places_->places().root(sys::Controller::kMemory) + "/" + group_->name() : std::string();
}

std::optional<std::uint64_t> WatchedGroup::inactive_file_bytes() const {
  if (!group_ || gone_) return std::nullopt;
  const auto bytes = group_->read_inactive_file();
  return bytes ? bytes->optional() : std::nullopt;
}

std::optional<double> WatchedGroup::cores_used() const {
  if (!before_ || !now_ || !now_->cpu_usage_usec || !before_->cpu_usage_usec) return std::nullopt;
  const double elapsed = std::chrono::duration<double, std::micro>(now_->at - before_->at).count();
  if (elapsed <= 0 || *now_->cpu_usage_usec < *before_->cpu_usage_usec) return std::nullopt;
  return static_cast<double>(*now_->cpu_usage_usec - *before_->cpu_usage_usec) / elapsed;
}

}  // namespace outrigger::roster
