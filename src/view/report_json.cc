#include "view/report.h"
#include "wire/json_writer.h"

namespace outrigger::view {
namespace {

using wire::JsonWriter;

void write_real(JsonWriter& writer, const char* name, const std::optional<double>& value) {
  writer.key(name);
  if (value) {
    writer.real(*value);
  } else {
    writer.null();
  }
}

void write_findings(JsonWriter& writer, const std::vector<rules::Finding>& findings) {
  writer.key("findings").begin_array();
  for (const rules::Finding& finding : findings) {
    writer.begin_object();
    writer.key("rule").text(finding.rule);
    writer.key("severity").text(rules::severity_name(finding.severity));
    writer.key("text").text(finding.text);
    writer.end_object();
  }
  writer.end_array();
}

void write_job(JsonWriter& writer, const JobRow& job) {
  writer.begin_object();
  writer.key("job_id").text(job.job_id);
  writer.key("tenant_id").text(job.tenant_id);
  writer.key("language").text(job.language);
  writer.key("age_ms").number(static_cast<std::uint64_t>(job.age.count()));
  writer.key("memory_bytes").number_or_null(job.memory_bytes);
  writer.key("memory_limit_bytes").number_or_null(job.memory_limit_bytes);
  writer.key("cpu_usage_usec").number_or_null(job.cpu_usage_usec);
  write_real(writer, "throttling_percent", job.throttling_percent);
  writer.key("pids").number_or_null(job.pids);
  writer.key("pids_limit").number_or_null(job.pids_limit);
  writer.key("oom_kills").number_or_null(job.oom_kills);
  write_findings(writer, job.findings);
  writer.end_object();
}

void write_fleet(JsonWriter& writer, const FleetRow& fleet) {
  writer.key("fleet").begin_object();
  writer.key("sandbox_memory_bytes").number(fleet.sandbox_memory_bytes);
  writer.key("working_set_bytes").number_or_null(fleet.working_set_bytes);
  writer.key("host_memory_bytes").number_or_null(fleet.host_memory_bytes);
  write_real(writer, "share", fleet.share);
  writer.key("ceiling").real(fleet.ceiling);
  writer.key("dispatch_paused");
  if (fleet.dispatch_paused) {
    writer.boolean(*fleet.dispatch_paused);
  } else {
    writer.null();
  }
  writer.end_object();
}

}  // namespace

std::string to_json(const Report& report) {
  JsonWriter writer;
  writer.begin_object();
  writer.key("jobs").begin_array();
  for (const JobRow& job : report.jobs) write_job(writer, job);
  writer.end_array();
  write_fleet(writer, report.fleet);
  writer.end_object();
  return writer.take();
}

}  // namespace outrigger::view
