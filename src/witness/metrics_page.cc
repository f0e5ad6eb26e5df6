#include "witness/metrics_page.h"

namespace outrigger::witness {
namespace {

using families::add;
using families::begin_counter;
using families::begin_gauge;
using families::Families;

double as_number(bool value) { return value ? 1 : 0; }

void add_jobs(Families& all, const std::vector<JobSample>& jobs) {
  const auto each = [&jobs](prometheus::MetricFamily& family, auto member, double per_unit) {
    for (const JobSample& job : jobs) {
      if (const auto& value = job.*member) {
        add(family, {{"job_id", job.job_id}, {"tenant_id", job.tenant_id}}, static_cast<double>(*value) / per_unit);
      }
    }
  };
  constexpr double kMicros = 1e6;
  each(begin_gauge(all, "crows_nest_job_memory_bytes", "Memory of a running job, as its control group counts it."),
       &JobSample::memory_bytes, 1);
  each(begin_counter(all, "crows_nest_job_cpu_usage_seconds_total", "CPU time of a running job's control group."),
       &JobSample::cpu_usage_usec, kMicros);
  each(begin_counter(all, "crows_nest_job_cpu_throttled_seconds_total",
                     "How long a running job was held back by its CPU quota."),
       &JobSample::throttled_usec, kMicros);
  each(begin_gauge(all, "crows_nest_job_pids", "Tasks of a running job, its jail's own init among them."),
       &JobSample::pids, 1);
  add(begin_gauge(all, "crows_nest_jobs", "Jobs that run and are watched."), {}, jobs.size());
}

void add_by(Families& all, const char* name, const char* help, const char* label, const auto& counts) {
  auto& family = begin_counter(all, name, help);
  for (const auto& [key, count] : counts) add(family, {{label, key}}, count);
}

void add_fleet(Families& all, const MetricsSnapshot& now) {
  add(begin_gauge(all, "crows_nest_fleet_memory_bytes", "Memory of all running jobs together."), {},
      now.fleet_memory_bytes);
  if (now.host_memory_bytes) {
    add(begin_gauge(all, "crows_nest_host_memory_bytes", "The host's memory."), {}, *now.host_memory_bytes);
  }
  add(begin_gauge(all, "crows_nest_fleet_ceiling_ratio", "The share of the host's memory at which dispatch is paused."),
      {}, now.ceiling);
  if (now.dispatch_paused) {
    add(begin_gauge(all, "crows_nest_dispatch_paused", "Whether the daemon's dispatch is paused, by whomever."), {},
        as_number(*now.dispatch_paused));
  }
  add(begin_gauge(all, "crows_nest_dispatch_paused_by_ceiling", "Whether it is paused by this auditor."), {},
      as_number(now.own_pause));
}

}  // namespace

Families metrics_page(const MetricsSnapshot& now, const std::optional<sys::OwnProcess>& process,
                      const std::string& version) {
  Families all;
  add(begin_gauge(all, "crows_nest_build_info", "Always 1; which program this is."), {{"version", version}}, 1.0);
  add(begin_gauge(all, "crows_nest_watching", "Whether there is a daemon's state that can be read."), {},
      as_number(now.watching));
  add_jobs(all, now.jobs);
  add_by(all, "crows_nest_memory_events_total", "Memory events of jobs that have ended, as their groups counted them.",
         "event", now.memory_events);
  add_by(all, "crows_nest_terminations_total", "Runs that have ended, by their true cause.", "cause", now.terminations);
  add_by(all, "crows_nest_incidents_total", "Incidents, by rule.", "rule", now.incidents);
  add(begin_counter(all, "crows_nest_missed_jobs_total",
                    "Runs that had ended before a counter of theirs was read: known by the daemon's word alone."),
      {}, now.missed_jobs);
  add(begin_counter(all, "crows_nest_unwatched_jobs_total", "Jobs beyond the number that is watched at a time."), {},
      now.turned_away);
  add(begin_counter(all, "crows_nest_inotify_overflows_total",
                    "Times the kernel dropped events, and all was looked at."),
      {}, now.inotify_overflows);
  add_by(all, "crows_nest_ledger_lines_total", "Lines written, by ledger.", "ledger", now.ledger_lines);
  add_by(all, "crows_nest_ledger_errors_total", "Tries to write that failed and were made again, by ledger.", "ledger",
         now.ledger_errors);
  add(begin_gauge(all, "crows_nest_summaries_waiting", "Termination summaries whose lines are not on the disk yet."),
      {}, now.summaries_waiting);
  add(begin_gauge(all, "crows_nest_summaries_stuck",
                  "Termination summaries whose lines are on the disk, and which could not be removed."),
      {}, now.summaries_stuck);
  add(begin_counter(all, "crows_nest_alerts_sent_total", "Incidents that the webhook has taken."), {}, now.alerts_sent);
  add(begin_counter(all, "crows_nest_alerts_dropped_total", "Incidents that the webhook was not told of."), {},
      now.alerts_dropped);
  add_fleet(all, now);
  if (process) families::add_process(all, *process, "the auditor");
  return all;
}

}  // namespace outrigger::witness
