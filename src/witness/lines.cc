#include "witness/lines.h"

#include "wire/json_writer.h"
#include "wire/outcome_parts.h"

namespace outrigger::witness {
namespace {

using wire::JsonWriter;

void write_evidence(JsonWriter& writer, const rules::Evidence& evidence) {
  writer.key("evidence").begin_object();
  for (const rules::Fact& fact : evidence) {
    writer.key(fact.name);
    if (const auto* count = std::get_if<std::uint64_t>(&fact.value)) {
      writer.number(*count);
    } else if (const auto* real = std::get_if<double>(&fact.value)) {
      writer.real(*real);
    } else if (const auto* flag = std::get_if<bool>(&fact.value)) {
      writer.boolean(*flag);
    } else if (const auto* text = std::get_if<std::string>(&fact.value)) {
      writer.text(*text);
    } else {
      writer.null();
    }
  }
  writer.end_object();
}

void write_cause(JsonWriter& writer, const rules::CauseOfDeath& cause) {
  wire::write_cause(writer, {cause.code, cause.text});
  writer.key("confidence").text(rules::confidence_name(cause.confidence));
  write_evidence(writer, cause.evidence);
}

void write_usage(JsonWriter& writer, const model::Outcome& outcome, const roster::Cycles& cycles) {
  writer.key("wall_time_ms").milliseconds(outcome.wall_time);
  writer.key("peak_memory_bytes").number_or_null(outcome.usage.peak_memory_bytes);
  wire::write_microseconds(writer, "cpu_usage_usec", outcome.usage.cpu_time);
  wire::write_microseconds(writer, "throttled_usec", outcome.usage.throttled_time);
  writer.key("cpu_cycles").number_or_null(cycles.count);
  if (cycles.count) {
    writer.key("cpu_cycles_over_usec").number_or_null(cycles.over_cpu_usec);
  } else {
    writer.key("cpu_cycles_absent").text(cycles.why_not);
  }
  writer.key("oom_kills").number_or_null(outcome.usage.oom_kills);
  writer.key("pids_peak").number_or_null(outcome.usage.peak_pids);
}

// Whoever wants members wants no braces; an object's text is these between two.
std::string without_braces(const std::string& object) { return object.substr(1, object.size() - 2); }

}  // namespace

std::string execution_members(const wire::Termination& summary, const roster::Death& death) {
  const model::Outcome& outcome = summary.outcome;
  JsonWriter writer;
  writer.reserve(1024);
  writer.begin_object();
  writer.key("job_id").text(outcome.job_id);
  writer.key("attempt").number(summary.attempt);
  writer.key("tenant_id").text(outcome.tenant_id);
  writer.key("language").text(outcome.language);
  writer.key("command").text(summary.command);
  writer.key("status").text(model::status_name(outcome.status));
  wire::write_ending(writer, outcome);
  write_cause(writer, death.cause);
  write_usage(writer, outcome, death.cycles);
  writer.key("started_at").timestamp(outcome.started_at);
  writer.key("ended_at").timestamp(outcome.ended_at);
  writer.key("cgroup_driver").text_or_null(summary.cgroup_driver);
  writer.key("observed").boolean(death.observed);
  writer.end_object();
  return without_braces(writer.take());
}

std::string incident_members(const rules::Subject* subject, const rules::Finding& finding) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("rule").text(finding.rule);
  writer.key("severity").text(rules::severity_name(finding.severity));
  writer.key("job_id").text_or_null(subject != nullptr ? subject->job_id : "");
  writer.key("tenant_id").text_or_null(subject != nullptr ? subject->tenant_id : "");
  writer.key("text").text(finding.text);
  write_evidence(writer, finding.evidence);
  writer.end_object();
  return without_braces(writer.take());
}

}  // namespace outrigger::witness
