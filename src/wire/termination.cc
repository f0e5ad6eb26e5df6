#include "wire/termination.h"

#include "wire/json_writer.h"
#include "wire/outcome_parts.h"

namespace outrigger::wire {
namespace {

void write_microseconds(JsonWriter& writer, std::string_view name,
                        const std::optional<std::chrono::microseconds>& time) {
  writer.key(name);
  if (time && time->count() >= 0) {
    writer.number(static_cast<std::uint64_t>(time->count()));
  } else {
    writer.null();
  }
}

void write_counters(JsonWriter& writer, const model::Usage& usage) {
  write_microseconds(writer, "cpu_usage_usec", usage.cpu_time);
  write_microseconds(writer, "throttled_usec", usage.throttled_time);
  writer.key("nr_periods").number_or_null(usage.periods);
  writer.key("nr_throttled").number_or_null(usage.throttled_periods);
  writer.key("oom_kills").number_or_null(usage.oom_kills);
  writer.key("memory_max_events").number_or_null(usage.memory_limit_hits);
  writer.key("pids_peak").number_or_null(usage.peak_pids);
  writer.key("pids_limit_hits").number_or_null(usage.pids_limit_hits);
}

}  // namespace

std::string termination_json(const model::Outcome& outcome, std::string_view command, std::string_view cgroup_driver) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("job_id").text(outcome.job_id);
  writer.key("command").text(command);
  write_ending(writer, outcome);
  writer.key("runtime_ms").milliseconds(outcome.wall_time);
  writer.key("peak_memory_bytes").number_or_null(outcome.usage.peak_memory_bytes);
  write_oom_triggered(writer, outcome.usage);
  writer.key("tenant_id").text(outcome.tenant_id);
  writer.key("language").text(outcome.language);
  writer.key("status").text(model::status_name(outcome.status));
  write_cause(writer, outcome.cause);
  writer.key("started_at").timestamp(outcome.started_at);
  writer.key("ended_at").timestamp(outcome.ended_at);
  write_counters(writer, outcome.usage);
  write_security_events(writer, outcome.security_events);
  writer.key("stdout_bytes").number(outcome.stdout_stream.bytes);
  writer.key("stderr_bytes").number(outcome.stderr_stream.bytes);
  writer.key("cgroup_driver").text(cgroup_driver);
  writer.end_object();
  return writer.take() + '\n';
}

}  // namespace outrigger::wire
