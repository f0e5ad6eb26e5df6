#include "witness/published.h"

namespace outrigger::witness {

MetricsSnapshot snapshot_of(const roster::Roster& roster, const FleetWatch& fleet, const Intake& intake,
                            const Incidents& incidents) {
  MetricsSnapshot now;
  now.jobs.reserve(roster.running());
  roster.for_each_running([&now](const roster::TrackedJob& job) {
    const probe::Reading* last = job.group().now();
    if (last == nullptr || job.group().gone()) return;
    now.jobs.push_back({job.subject().job_id, job.subject().tenant_id, last->memory_bytes.optional(),
                        last->cpu_usage_usec.optional(), last->throttled_usec.optional(), last->pids.optional()});
  });
  now.memory_events = intake.memory_events();
  now.terminations = intake.by_cause();
  now.incidents = incidents.by_rule();
  now.missed_jobs = intake.missed();
  now.turned_away = roster.turned_away();
  now.summaries_waiting = intake.under_way();
  now.summaries_stuck = intake.stuck();
  now.fleet_memory_bytes = fleet.memory_bytes();
  now.host_memory_bytes = fleet.host_bytes();
  now.ceiling = fleet.ceiling();
  const fleet::DispatchState dispatch = fleet.dispatch();
  if (dispatch.reach == fleet::DispatchState::Reach::kReached) now.dispatch_paused = dispatch.paused;
  now.own_pause = dispatch.own.in_force;
  return now;
}

families::Families Published::page(const std::string& version) const {
  std::shared_ptr<const MetricsSnapshot> now;
  {
    const std::lock_guard lock(mutex_);
    now = latest_;
  }
  const auto process = sys::read_own_process();
  return metrics_page(*now, process ? std::optional(*process) : std::nullopt, version);
}

}  // namespace outrigger::witness
