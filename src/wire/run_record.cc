#include "wire/run_record.h"

#include <boost/json/value.hpp>

#include "wire/json_tree.h"
#include "wire/limits_text.h"
#include "wire/outcome_parts.h"
#include "wire/outcome_reader.h"
#include "wire/time_text.h"

namespace outrigger::wire {
namespace {

using std::chrono::system_clock;

void write_usage(JsonWriter& writer, const model::Outcome& outcome) {
  const model::Usage& usage = outcome.usage;
  writer.key("wall_time_ms").milliseconds(outcome.wall_time);
  writer.key("queue_time_ms").milliseconds(outcome.queue_time);
  write_milliseconds(writer, "cpu_time_ms", usage.cpu_time);
  write_milliseconds(writer, "throttled_time_ms", usage.throttled_time);
  writer.key("nr_periods").number_or_null(usage.periods);
  writer.key("nr_throttled").number_or_null(usage.throttled_periods);
  writer.key("peak_memory_bytes").number_or_null(usage.peak_memory_bytes);
  write_oom_triggered(writer, usage);
  writer.key("oom_kills").number_or_null(usage.oom_kills);
  writer.key("memory_max_events").number_or_null(usage.memory_limit_hits);
  writer.key("pids_peak").number_or_null(usage.peak_pids);
  writer.key("pids_limit_hits").number_or_null(usage.pids_limit_hits);
}

void write_streams(JsonWriter& writer, const model::Outcome& outcome) {
  writer.key("stdout_bytes").number(outcome.stdout_stream.bytes);
  writer.key("stderr_bytes").number(outcome.stderr_stream.bytes);
  writer.key("stdout_truncated").boolean(outcome.stdout_stream.truncated);
  writer.key("stderr_truncated").boolean(outcome.stderr_stream.truncated);
}

// What is written by ourselves and can't be read again is refused, not guessed.
system_clock::time_point read_time(const Fields& fields, std::string_view name, Refusal& refusal) {
  const auto time = parse_time(fields.required_text(name));
  if (!time) refusal.invalid(fields.path(name), "must be a time of RFC 3339");
  return time.value_or(system_clock::time_point{});
}

void read_rest(const Fields& fields, const OutcomeReader& reader, Refusal& refusal, model::RunRecord& record) {
  model::Outcome& outcome = record.outcome;
  reader.read_counts(outcome.usage);
  outcome.stdout_stream.bytes = reader.count("stdout_bytes").value_or(0);
  outcome.stderr_stream.bytes = reader.count("stderr_bytes").value_or(0);
  outcome.stdout_stream.truncated = fields.required_boolean("stdout_truncated");
  outcome.stderr_stream.truncated = fields.required_boolean("stderr_truncated");
  outcome.started_at = read_time(fields, "started_at", refusal);
  outcome.ended_at = read_time(fields, "ended_at", refusal);
  record.received_at = read_time(fields, "received_at", refusal);
  record.code_sha256 = fields.required_text("code_sha256");
  record.code_bytes = reader.count("code_bytes").value_or(0);
  record.command = fields.required_text("command");
  record.node = fields.required_text("node");
  record.cgroup_driver = fields.optional_text("cgroup_driver");
  record.origin = fields.required_text("origin") == "queue" ? model::Origin::kQueue : model::Origin::kDirect;
  record.attempt = static_cast<std::uint32_t>(reader.count("attempt").value_or(0));
  record.trace_id = fields.optional_text("trace_id");
}

std::unexpected<base::Error> not_a_run(std::string_view why) {
  return base::failure(base::Code::kInvalid, "parse_run_record", why);
}

base::Result<model::RunRecord> read_record(const boost::json::object& object) {
  Refusal refusal;
  const Fields fields(object, "", refusal);
  const OutcomeReader reader(fields, refusal);
  model::RunRecord record;
  reader.read_common(record.outcome);
  read_rest(fields, reader, refusal, record);
  if (refusal) return not_a_run(refusal.error().message);
  return record;
}

}  // namespace

std::string_view origin_name(model::Origin origin) { return origin == model::Origin::kQueue ? "queue" : "direct"; }

void write_run_record(JsonWriter& writer, const model::RunRecord& record) {
  const model::Outcome& outcome = record.outcome;
  writer.begin_object();
  writer.key("job_id").text(outcome.job_id);
  writer.key("tenant_id").text(outcome.tenant_id);
  writer.key("language").text(outcome.language);
  writer.key("status").text(model::status_name(outcome.status));
  write_ending(writer, outcome);
  write_cause(writer, outcome.cause);
  write_usage(writer, outcome);
  write_streams(writer, outcome);
  write_security_events(writer, outcome.security_events);
  write_limits(writer.key("limits"), outcome.limits);
  writer.key("code_sha256").text(record.code_sha256);
  writer.key("code_bytes").number(record.code_bytes);
  writer.key("command").text(record.command);
  writer.key("node").text(record.node);
  writer.key("cgroup_driver").text_or_null(record.cgroup_driver);
  writer.key("origin").text(origin_name(record.origin));
  writer.key("attempt").number(record.attempt);
  writer.key("received_at").text(time_text(record.received_at));
  writer.key("started_at").text(time_text(outcome.started_at));
  writer.key("ended_at").text(time_text(outcome.ended_at));
  writer.key("trace_id").text_or_null(record.trace_id);
  writer.end_object();
}

std::string run_record_json(const model::RunRecord& record) {
  JsonWriter writer;
  writer.reserve(1536);
  write_run_record(writer, record);
  return writer.take();
}

base::Result<model::RunRecord> parse_run_record(std::string_view text) {
  const auto tree = parse_tree(text);
  if (!tree) return not_a_run(tree.error().message);
  if (!tree->is_object()) return not_a_run("not a JSON object");
  return read_record(tree->get_object());
}

std::string run_list_json(const RunList& list) {
  JsonWriter writer;
  writer.begin_object().key("runs").begin_array();
  for (const model::RunRecord& run : list.runs) write_run_record(writer, run);
  writer.end_array().key("next_before").text_or_null(list.next_before);
  return writer.end_object().take();
}

base::Result<RunList> parse_run_list(std::string_view text) {
  const auto tree = parse_tree(text);
  if (!tree) return not_a_run(tree.error().message);
  if (!tree->is_object()) return not_a_run("not a JSON object");
  Refusal refusal;
  const Fields fields(tree->get_object(), "", refusal);
  RunList list;
  list.next_before = fields.optional_text("next_before");
  const boost::json::array* runs = fields.optional_array("runs");
  if (runs == nullptr || refusal) return not_a_run("it has no runs");
  for (const boost::json::value& each : *runs) {
    if (!each.is_object()) return not_a_run("runs must hold objects");
    auto record = read_record(each.get_object());
    if (!record) return std::unexpected(record.error());
    list.runs.push_back(std::move(*record));
  }
  return list;
}

std::string security_events_json(const std::vector<model::SecurityEvent>& events) {
  JsonWriter writer;
  write_security_event_list(writer, events);
  return writer.take();
}

std::string limits_json(const model::Limits& limits) {
  JsonWriter writer;
  write_limits(writer, limits);
  return writer.take();
}

base::Status parse_json_columns(std::string_view events, std::string_view limits, model::Outcome& out) {
  const auto list = parse_tree(events);
  const auto object = parse_tree(limits);
  if (!list || !list->is_array()) return not_a_run("security_events is not a JSON array");
  if (!object || !object->is_object()) return not_a_run("limits is not a JSON object");
  Refusal refusal;
  read_security_events(list->get_array(), refusal, out.security_events);
  read_known_limits(object->get_object(), refusal, out.limits);
  if (refusal) return not_a_run(refusal.error().message);
  return {};
}

}  // namespace outrigger::wire
