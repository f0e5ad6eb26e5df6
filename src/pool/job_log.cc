#include "pool/job_log.h"

#include <utility>

#include "wire/run_record.h"
#include "wire/trace_context.h"

namespace outrigger::pool {

base::LogFields ending_fields(const model::Job& job, const model::Outcome& outcome) {
  base::LogFields fields{{"job_id", outcome.job_id},           {"tenant_id", outcome.tenant_id},
                         {"language", outcome.language},       {"status", model::status_name(outcome.status)},
                         {"cause", outcome.cause.code},        {"wall_time_ms", outcome.wall_time},
                         {"queue_time_ms", outcome.queue_time}};
  if (outcome.exit_code) fields.emplace_back("exit_code", *outcome.exit_code);
  if (outcome.signal) fields.emplace_back("signal", *outcome.signal);
  for (const model::SecurityEvent& event : outcome.security_events) {
    if (!event.syscall.empty()) fields.emplace_back("syscall", event.syscall);
  }
  fields.emplace_back("origin", wire::origin_name(job.origin));
  if (job.attempt > 1) fields.emplace_back("attempt", job.attempt);
  if (!job.token_id.empty()) fields.emplace_back("token_id", job.token_id);
  if (auto trace = wire::trace_id_of(job.traceparent); !trace.empty()) {
    fields.emplace_back("trace_id", std::move(trace));
    fields.emplace_back("span_id", wire::span_id_of(outcome.job_id));
  }
  return fields;
}

}  // namespace outrigger::pool
