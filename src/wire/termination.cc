#include "wire/termination.h"

#include <boost/json/object.hpp>
#include <limits>

#include "base/ids.h"
#include "wire/json_tree.h"
#include "wire/json_writer.h"
#include "wire/outcome_parts.h"
#include "wire/outcome_reader.h"

namespace outrigger::wire {
namespace {

constexpr std::uint64_t kMaxAttempt = std::numeric_limits<std::uint32_t>::max();

void write_counters(JsonWriter& writer, const model::Usage& usage) {
  write_microseconds(writer, "cpu_usage_usec", usage.cpu_time);
  write_microseconds(writer, "setup_cpu_usec", usage.setup_cpu_time);
  write_microseconds(writer, "throttled_usec", usage.throttled_time);
  writer.key("nr_periods").number_or_null(usage.periods);
  writer.key("nr_throttled").number_or_null(usage.throttled_periods);
  writer.key("oom_kills").number_or_null(usage.oom_kills);
  writer.key("memory_max_events").number_or_null(usage.memory_limit_hits);
  writer.key("pids_peak").number_or_null(usage.peak_pids);
  writer.key("pids_limit_hits").number_or_null(usage.pids_limit_hits);
}

void read_counters(const OutcomeReader& reader, model::Usage& usage) {
  usage.cpu_time = reader.microseconds("cpu_usage_usec");
  usage.setup_cpu_time = reader.microseconds("setup_cpu_usec");
  usage.throttled_time = reader.microseconds("throttled_usec");
  reader.read_counts(usage);
}

}  // namespace

std::string termination_json(const model::Outcome& outcome, std::string_view command, std::string_view cgroup_driver,
                             std::uint32_t attempt) {
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
  if (attempt > 1) writer.key("attempt").number(attempt);
  writer.end_object();
  return writer.take() + '\n';
}

std::expected<Termination, RequestError> parse_termination(std::string_view text) {
  const auto object = parse_object(text, "a summary");
  if (!object) return std::unexpected(object.error());
  Refusal refusal;
  const Fields fields(*object, "", refusal);
  const OutcomeReader reader(fields, refusal);
  Termination out;
  reader.read_common(out.outcome);
  read_counters(reader, out.outcome.usage);
  out.outcome.wall_time = reader.time("runtime_ms").value_or(std::chrono::microseconds{0});
  out.outcome.started_at = reader.moment("started_at");
  out.outcome.ended_at = reader.moment("ended_at");
  out.outcome.stdout_stream.bytes = reader.count("stdout_bytes").value_or(0);
  out.outcome.stderr_stream.bytes = reader.count("stderr_bytes").value_or(0);
  out.command = fields.optional_text("command");
  out.cgroup_driver = fields.optional_text("cgroup_driver");
  out.attempt = static_cast<std::uint32_t>(reader.count("attempt", kMaxAttempt).value_or(1));
  if (out.attempt == 0) refusal.invalid("attempt", "counts from 1");
  if (fields.find("cgroup_oom_triggered") != nullptr) {
    out.cgroup_oom_triggered = fields.required_boolean("cgroup_oom_triggered");
  }
  // Ids name files and control groups: what is none must not get further.
  if (!base::is_job_id(out.outcome.job_id)) refusal.invalid("job_id", "must be a job id");
  if (!base::is_tenant_id(out.outcome.tenant_id)) refusal.invalid("tenant_id", "must be a tenant id");
  if (refusal) return std::unexpected(refusal.error());
  return out;
}

}  // namespace outrigger::wire
