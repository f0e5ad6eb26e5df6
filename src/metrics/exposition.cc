#include "metrics/exposition.h"

#include <chrono>

#include "families/families.h"

namespace outrigger::metrics {
namespace {

std::uint64_t as_number(bool value) { return value ? 1 : 0; }

using families::add;
using families::begin_counter;
using families::begin_gauge;
using families::begin_histogram;
using families::Families;

void add(prometheus::MetricFamily& family, families::Labels labels, const pool::Histogram& histogram) {
  families::add(family, labels, histogram.bounds(), histogram.counts(), histogram.sum());
}

void add_program(Families& all, const Snapshot& now) {
  add(begin_gauge(all, "outrigger_build_info", "Always 1; which program this is."), {{"version", now.version}}, 1.0);
  add(begin_gauge(all, "outrigger_cgroup_info", "Always 1; through which cgroup driver jobs are limited."),
      {{"driver", now.pool.cgroup_driver}}, 1.0);
  add(begin_counter(all, "outrigger_log_lines_lost_total", "Log lines that found no room on stderr."), {},
      now.lost_log_lines);
}

void add_jobs(Families& all, const pool::JobCounters& jobs) {
  auto& ended = begin_counter(all, "outrigger_jobs_total", "Jobs that ended, by how they did.");
  for (const auto& [name, language] : jobs.languages) {
    for (std::size_t i = 0; i < language.by_status.size(); ++i) {
      add(ended, {{"language", name}, {"status", model::status_name(static_cast<model::Status>(i))}},
          language.by_status.at(i));
    }
  }
  auto& durations = begin_histogram(all, "outrigger_job_duration_seconds",
                                    "Wall time of jobs: from the hand-over of the program to its end.");
  for (const auto& [name, language] : jobs.languages) {
    for (const auto& [status, duration] : language.durations) {
      add(durations, {{"language", name}, {"status", model::status_name(status)}}, duration);
    }
  }
  add(begin_histogram(all, "outrigger_job_queue_seconds", "How long jobs that got a slot had waited for it."), {},
      jobs.queue);
  add(begin_histogram(all, "outrigger_job_overhead_seconds",
                      "What a job took beyond its wait for a slot and its own wall time."),
      {}, jobs.overhead);
}

void add_security(Families& all, const pool::JobCounters& jobs) {
  auto& events =
      begin_counter(all, "outrigger_security_events_total",
                    "Entries in the security_events of jobs; each once, however often it happened in a job.");
  for (const auto& [type, count] : jobs.security_events) add(events, {{"type", type}}, count);
  auto& violations = begin_counter(all, "outrigger_seccomp_violations_total",
                                   "System calls that the filter stopped, and jobs with it.");
  for (const auto& [name, count] : jobs.seccomp_violations) add(violations, {{"syscall", name}}, count);
  add(begin_counter(all, "outrigger_oom_kills_total", "OOM kills that the kernel counted in jobs' own groups."), {},
      jobs.oom_kills);
}

void add_pool(Families& all, const Snapshot& now) {
  const pool::PoolState& pool = now.pool;
  add(begin_gauge(all, "outrigger_slots", "How many jobs may run at a time."), {}, pool.slots);
  add(begin_gauge(all, "outrigger_slots_in_use", "Jobs that have a slot."), {}, pool.running);
  add(begin_gauge(all, "outrigger_waiting_requests", "Jobs that wait for a slot."), {}, pool.waiting);
  add(begin_counter(all, "outrigger_pool_exhausted_total", "Jobs that were refused because no slot came free in time."),
      {}, now.jobs.exhausted);
  add(begin_gauge(all, "outrigger_dispatch_paused", "1 while no jobs are taken because somebody paused dispatch."), {},
      as_number(pool.dispatch.paused));
  add(begin_gauge(all, "outrigger_jailer_up", "1 while a jailer serves; without one no job runs."), {},
      as_number(pool.jailer_alive));
}

void add_primed(Families& all, const std::vector<pool::PrimedState>& primed) {
  auto& jails = begin_gauge(all, "outrigger_primed_jails", "Jails that stand ready, and how many are wanted.");
  for (const pool::PrimedState& each : primed) {
    add(jails, {{"runtime", each.runtime}, {"state", "ready"}}, each.ready);
    add(jails, {{"runtime", each.runtime}, {"state", "target"}}, each.target);
  }
  auto& hits = begin_counter(all, "outrigger_primed_hits_total", "Jobs that found a jail ready.");
  for (const pool::PrimedState& each : primed) add(hits, {{"runtime", each.runtime}}, each.hits);
  auto& misses =
      begin_counter(all, "outrigger_primed_misses_total", "Jobs that could have used a ready jail, and found none.");
  for (const pool::PrimedState& each : primed) add(misses, {{"runtime", each.runtime}}, each.misses);
  auto& memory = begin_gauge(all, "outrigger_primed_memory_bytes", "Memory that jails which stand ready hold.");
  for (const pool::PrimedState& each : primed) add(memory, {{"runtime", each.runtime}}, each.memory_bytes);
}

void add_audit(Families& all, const audit::TrailState& audit) {
  add(begin_gauge(all, "outrigger_audit_up", "1 while the audit database takes rows."), {},
      as_number(!audit.database_away));
  add(begin_counter(all, "outrigger_audit_rows_total", "Rows that were written to the audit database."), {},
      audit.rows);
  add(begin_gauge(all, "outrigger_audit_spool_bytes",
                  "Size of the records that wait on disk, those written lately too."),
      {}, audit.spool_bytes);
  add(begin_counter(all, "outrigger_audit_lost_total", "Audit records that found room neither on disk nor in memory."),
      {}, audit.lost);
  add(begin_counter(all, "outrigger_audit_rejected_total", "Rows that the audit database refuses for what is in them."),
      {}, audit.rejected);
}

void add_queue(Families& all, const queue::QueueState& queue) {
  add(begin_gauge(all, "outrigger_queue_up", "1 while the queue answers."), {}, as_number(queue.trouble.empty()));
  auto& jobs = begin_gauge(all, "outrigger_queue_jobs", "Jobs in the queue, of all daemons that share it.");
  add(jobs, {{"state", "waiting"}}, queue.waiting);
  add(jobs, {{"state", "running"}}, queue.running);
  add(jobs, {{"state", "dead"}}, queue.dead);
  add(begin_gauge(all, "outrigger_queue_in_flight", "Queued jobs that this daemon has taken and not settled."), {},
      queue.in_flight);
  add(begin_gauge(all, "outrigger_queue_unsent", "Jobs accepted here and not yet in the shared queue."), {},
      queue.unsent);
}

void add_http(Families& all, const HttpState& http) {
  auto& answers = begin_counter(all, "outrigger_http_requests_total", "Requests that were answered.");
  for (const auto& [key, count] : http.answers) {
    const auto& [route, method, status] = key;
    add(answers, {{"method", method}, {"route", route}, {"code", std::to_string(status)}}, count);
  }
  auto& durations =
      begin_histogram(all, "outrigger_http_request_duration_seconds",
                      "From a request's head to its answer, or to the first byte of one that is streamed.");
  for (const auto& [route, histogram] : http.durations) add(durations, {{"route", route}}, histogram);
  add(begin_gauge(all, "outrigger_http_connections", "Connections that clients have open."), {}, http.connections);
}

}  // namespace

std::string exposition(const Snapshot& now) {
  Families all;
  add_program(all, now);
  if (now.process) families::add_process(all, *now.process, "the daemon");
  add_jobs(all, now.jobs);
  add_security(all, now.jobs);
  add_pool(all, now);
  add_primed(all, now.pool.primed);
  if (now.audit) add_audit(all, *now.audit);
  if (now.queue) add_queue(all, *now.queue);
  add_http(all, now.http);
  return families::to_text(all);
}

}  // namespace outrigger::metrics
